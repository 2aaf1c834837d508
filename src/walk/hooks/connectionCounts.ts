import { packetSize } from '../ask/packetSize.ts';
import type { ConnectionCounts, Flow, FlowConnection, PacketCount } from '../flow.ts';

/**
 * The connection with this packet counted, as conntrack does when it has found it. Errors about a packet are not
 * counted.
 */
export function counted(flow: Flow, connection: FlowConnection): FlowConnection {
  const { direction, isKnown, found } = connection;
  const before = connection.counts ?? (isKnown ? undefined : none);
  if (before === undefined || found === 'related' || found === 'invalid') return connection;
  const { first, last } = packetSize(flow.packet);
  const { packets, least, most } = before[direction];
  const now: PacketCount = { packets: packets + 1, least: least + first, most: most + last };
  return { ...connection, counts: { ...before, [direction]: now } as ConnectionCounts };
}

const nothing: PacketCount = { packets: 0, least: 0, most: 0 };
const none: ConnectionCounts = { original: nothing, reply: nothing };
