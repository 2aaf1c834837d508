import type { Destination } from '../packets/destinations.ts';
import type { Mention } from './ruleMentions.ts';
import type { StandIns } from './text/stepWriter.ts';

/**
 * Elements by which an endpoint reaches itself, with placeholders for ports: those that a packet to the destination may meet,
 * whose port is then that of an endpoint.
 */
export function hairpinText(
  mentions: readonly Mention[],
  { use, protocolPorts: [asked] }: Destination,
  { port: own, targetPorts, isFixedPort }: StandIns,
): string {
  const texts = mentions.flatMap(({ origin, protocol, port }) => {
    const set = origin.kind === 'element' || origin.kind === 'member' ? origin.set : '';
    if (use === 'other') return [`${set} ${protocol?.first ?? ''} ${port?.first ?? ''}-${port?.last ?? ''}`];
    const isOfOther = protocol !== undefined && protocol.first === protocol.last && protocol.first !== asked?.protocol;
    if (isOfOther) return [];
    if (port === undefined) return [set];
    if (port.first !== port.last) return [`${set} ${port.first}-${port.last}`];
    const number = targetPorts.get(Number(port.first));
    if (number !== undefined) return [`${set} $T${number}`];
    if (port.first === own) return [`${set} $P`];
    return isFixedPort(Number(port.first)) ? [`${set} ${port.first}`] : [];
  });
  return texts.sort().join(',');
}
