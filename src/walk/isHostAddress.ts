import type { Value } from '../common/ranges/valueRange.ts';
import { ipvsDevice } from '../netfilter/ipvs/ipvsDevice.ts';
import type { WalkInput } from './input/walkInput.ts';

/** An address of the node itself; those of kube-ipvs0 belong to Services. */
export function isHostAddress(address: Value, { topology }: WalkInput): boolean {
  if (typeof address === 'number' && address >>> 24 === 127) return true;
  return [...topology.interfaces.values()].some(
    ({ name, addresses }) => name !== ipvsDevice && addresses.some((one) => one.address === address),
  );
}
