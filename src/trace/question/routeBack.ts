import type { Value } from '../../common/ranges/valueRange.ts';
import { single } from '../../common/ranges/valueSet.ts';
import type { WalkContext } from '../../walk/context.ts';
import type { WalkRoute } from '../../walk/input/topology.ts';
import { routeTo } from '../../walk/routing.ts';

/** The route by which the node reaches the sender of a packet; undefined: there is no route. */
export function routeBack(source: Value, context: WalkContext): WalkRoute | undefined {
  return routeTo({ destinations: single(source), source: single(source), mark: 0 }, context);
}
