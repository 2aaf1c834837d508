import type { Value } from '../common/ranges/valueRange.ts';
import { onlyValue } from '../common/ranges/valueSet.ts';
import type { WalkContext } from './context.ts';
import type { Packet } from './flow.ts';
import { selectAddress } from './hooks/selectAddress.ts';
import { routeTo } from './routing.ts';

/** The source address of the node's own packets to a destination. */
export function sourceTowards(destinations: Packet['source'], context: WalkContext): Value | undefined {
  const route = routeTo({ destinations, source: destinations, mark: 0 }, context);
  const towards = onlyValue(destinations);
  if (route === undefined || towards === undefined) return undefined;
  // The node's packets to itself come from the address they go to; those to 127/8 come from 127.0.0.1.
  if (route.type === 'local') return route.source ?? towards;
  return route.source ?? selectAddress(route.device, route.via ?? towards, context);
}
