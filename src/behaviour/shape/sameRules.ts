import type { ComparedFamily } from '../comparedPair.ts';
import type { Destination } from '../packets/destinations.ts';
import { differingDestinations } from './differingDestinations.ts';
import { isSameButForRules } from './isSameButForRules.ts';

/**
 * Whether all packets to a destination meet the same rules on both sides, in the same network: no packet need be walked to
 * know that they fare alike. False where that is not sure.
 */
export type HasSameRules = (destination: Destination) => boolean;

/** Rules for all destinations, and all that is not rules, must be the same: else packets to any of them may differ. */
export function sameRules(pair: ComparedFamily): HasSameRules {
  const differing = isSameButForRules(pair) ? differingDestinations(pair) : undefined;
  if (differing === undefined) return () => false;
  const { addresses, nodePorts } = differing;
  return ({ address, protocolPorts }) =>
    !addresses.has(address) && !protocolPorts.some(({ port }) => port !== undefined && nodePorts.has(port));
}
