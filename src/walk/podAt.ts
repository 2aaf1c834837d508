import type { Value } from '../common/ranges/valueRange.ts';
import { cached, type WalkContext } from './context.ts';
import type { WalkPod } from './input/topology.ts';

/** The Pod with an address, the first if there are several; undefined: none. A large cluster has a hundred thousand. */
export function podAt(address: Value, context: WalkContext): WalkPod | undefined {
  const { pods } = context.input.topology;
  return cached(context, pods, () => {
    const byAddress = new Map<Value, WalkPod>();
    for (const pod of pods) {
      for (const own of pod.addresses) if (!byAddress.has(own)) byAddress.set(own, pod);
    }
    return byAddress;
  }).get(address);
}
