import type { ConnectionState } from '../../netfilter/meaning.ts';
import type { WalkContext } from '../context.ts';
import type { Packet } from '../flow.ts';
import { sysctl } from '../sysctl.ts';

/** The state that conntrack gives to a packet without a known connection. */
export function freshState({ tcpFlags, icmp }: Packet, context: WalkContext): ConnectionState {
  // In ICMP it accepts requests.
  if (icmp !== undefined) return requests.has(icmp.type) ? 'new' : 'invalid';
  if (tcpFlags === undefined) return 'new';
  const [fin, syn, reset, ack] = [1, 2, 4, 16].map((bit) => (tcpFlags & bit) !== 0);
  if (syn) return fin || reset || ack ? 'invalid' : 'new';
  if (fin || reset || !ack) return 'invalid';
  // It picks up an existing connection as a new one.
  return sysctl('net.netfilter.nf_conntrack_tcp_loose', context) === 0 ? 'invalid' : 'new';
}

/** Echo, timestamp, information, address mask; echo of ICMPv6. */
const requests: ReadonlySet<number> = new Set([8, 13, 15, 17, 128]);
