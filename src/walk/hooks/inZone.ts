import { onlyValue } from '../../common/ranges/valueSet.ts';
import type { WalkContext } from '../context.ts';
import type { Flow, FlowConnection } from '../flow.ts';
import { unseenConnection } from '../flowShape.ts';
import { freshState } from './freshState.ts';

/**
 * The connection by which a packet is looked up: zones separate equal addresses and ports. A packet that no rule put
 * into the zone of its connection belongs to no connection that conntrack knows.
 */
export function lookedUpInZone(flow: Flow, context: WalkContext): FlowConnection {
  const { connection, zone, mark } = flow;
  const [original, reply] = [zone?.original ?? 0, zone?.reply ?? 0].map((one) =>
    one === 'mark' ? mark & 0xffff : one,
  ) as [number, number];
  const isFirst = connection.original === undefined && connection.direction === 'original' && !connection.isKnown;
  if (isFirst) {
    return original === 0 && reply === 0 ? connection : { ...connection, zone: { original, reply } };
  }
  const own = connection.zone ?? { original: 0, reply: 0 };
  const asked = connection.direction === 'original' ? original : reply;
  if (own[connection.direction] === asked) return connection;
  // Connections of SCTP begin only with INIT, which is never a reply.
  const isSctp = onlyValue(flow.packet.protocol) === 132;
  return {
    ...unseenConnection,
    found: isSctp ? 'invalid' : freshState(flow.packet, context),
    zone: original === 0 && reply === 0 ? undefined : { original, reply },
  };
}
