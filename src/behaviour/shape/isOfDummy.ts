import type { Value } from '../../common/ranges/valueRange.ts';
import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import { cached, type WalkContext } from '../../walk/context.ts';

/** The address belongs to a Service, and IPVS mode keeps it on an interface of its own. */
export function isOfDummy(address: Value, context: WalkContext): boolean {
  const { interfaces } = context.input.topology;
  const own = interfaces.get(ipvsDevice)?.addresses ?? [];
  return cached(context, isOfDummy, () => new Set(own.map((one) => one.address))).has(address);
}
