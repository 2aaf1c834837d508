import { memoized } from '../common/memoized.ts';
import type { Value } from '../common/ranges/valueRange.ts';
import type { WalkContext } from './context.ts';
import type { WalkPod } from './input/topology.ts';

/** The Pod with an address, the first if there are several; undefined: none. A large cluster has a hundred thousand. */
export function podAt(address: Value, context: WalkContext): WalkPod | undefined {
  return byAddress(context.input.topology.pods).get(address);
}

const byAddress = memoized((pods: readonly WalkPod[]): ReadonlyMap<Value, WalkPod> => {
  const found = new Map<Value, WalkPod>();
  for (const pod of pods) {
    for (const own of pod.addresses) if (!found.has(own)) found.set(own, pod);
  }
  return found;
});
