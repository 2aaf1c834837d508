import { sameData } from '../../common/sameData.ts';
import { sameItems } from '../../common/sameItems.ts';
import type { WalkContext } from '../../walk/context.ts';
import type { Topology, WalkInterface, WalkPod } from '../../walk/input/topology.ts';

/**
 * One context of each network: the sides of a comparison usually stand in the same one, and a large cluster has a hundred
 * thousand addresses to look up in it.
 */
export function networksApart(contexts: readonly WalkContext[]): readonly WalkContext[] {
  const apart: WalkContext[] = [];
  for (const context of contexts) {
    if (!apart.some((other) => isSameNetwork(other.input.topology, context.input.topology))) apart.push(context);
  }
  return apart;
}

/** They have the same addresses, routes and Pods. */
function isSameNetwork(one: Topology, other: Topology): boolean {
  return (
    one === other ||
    (areAlike([...one.interfaces.values()], [...other.interfaces.values()], isSameInterface) &&
      sameData(one.routes, other.routes) &&
      sameData(one.rules, other.rules) &&
      areAlike(one.pods, other.pods, isSamePod))
  );
}

function areAlike<T>(one: readonly T[], other: readonly T[], isSame: (a: T, b: T) => boolean): boolean {
  return one.length === other.length && one.every((each, at) => isSame(each, other[at] as T));
}

function isSameInterface(one: WalkInterface, other: WalkInterface): boolean {
  return one.name === other.name && areAlike(one.addresses, other.addresses, (a, b) => a.address === b.address);
}

function isSamePod(one: WalkPod, other: WalkPod): boolean {
  const isThere = one.node === other.node && one.interface === other.interface;
  return isThere && sameItems(one.addresses, other.addresses);
}
