import type { Family } from '../../common/addresses/family.ts';
import { familyOfValue } from '../../trace/question/familyOfValue.ts';
import type { BehaviourOptions } from '../behaviourOptions.ts';
import { type Destination, otherProtocolPorts } from './destinations.ts';

/** The requested destinations among all; invented if no rule knows them. */
export function destinationsAsked(
  all: readonly Destination[],
  to: BehaviourOptions['to'],
  family: Family,
): readonly Destination[] {
  if (to === undefined) return all;
  const { address, port } = to;
  if (familyOfValue(address) !== family) return [];
  const own = all.filter((destination) => destination.address === address);
  const isV6 = family === 'ipv6';
  if (port === undefined) {
    return own.length > 0 ? own : [{ address, use: 'other', protocolPorts: otherProtocolPorts(new Map(), isV6) }];
  }
  const asked = own.filter(({ use, protocolPorts }) => use === 'port' && protocolPorts[0]?.port === port);
  return asked.length > 0
    ? asked
    : [6, 17].map((protocol): Destination => ({ address, use: 'port', protocolPorts: [{ protocol, port }] }));
}
