import type { Value } from '../common/ranges/valueRange.ts';
import { hasValue, union, type ValueSet } from '../common/ranges/valueSet.ts';
import { cached, type WalkContext } from './context.ts';
import type { Topology } from './input/topology.ts';

export function isLocalAddress(address: Value, context: WalkContext): boolean {
  const { topology } = context.input;
  const local = cached(context, topology.interfaces, () => localAddresses(topology));
  return hasValue(local, address);
}

function localAddresses(topology: Topology): ValueSet {
  return union(
    topology.routes
      .filter(({ table, type }) => table === 'local' && type === 'local')
      .map(({ destination }) => destination),
  );
}
