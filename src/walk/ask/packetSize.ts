import { onlyValue } from '../../common/ranges/valueSet.ts';
import type { Packet } from '../flow.ts';

/** The minimum and maximum size of a packet with its IP header, since nobody gave one. */
export function packetSize(packet: Packet): { readonly first: number; readonly last: number } {
  const isV6 = typeof packet.source[0]?.first === 'bigint';
  const header = isV6 ? { first: 40, last: 40 } : { first: 20, last: 60 };
  const own = contentSize(packet);
  return { first: header.first + own.first, last: Math.min(header.last + own.last, isV6 ? most + 40 : most) };
}

const most = 65_535;

/**
 * The size of the transport header, and of the data after it. The first packet of a TCP connection, and the reply to
 * it, carry no data.
 */
function contentSize({ protocol, tcpFlags, icmp }: Packet): { readonly first: number; readonly last: number } {
  if (icmp !== undefined) return { first: 8, last: most };
  switch (onlyValue(protocol)) {
    case 6:
      return tcpFlags !== undefined && (tcpFlags & (syn | reset)) !== 0
        ? { first: 20, last: 60 }
        : { first: 20, last: most };
    case 17:
      return { first: 8, last: most };
    case 132:
      return { first: 12, last: most };
    default:
      return { first: 0, last: most };
  }
}

const [syn, reset] = [2, 4];
