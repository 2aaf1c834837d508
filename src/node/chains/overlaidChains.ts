import { mapOnDemand } from '../../common/mapOnDemand.ts';
import type { RuleChain } from '../ruleChain.ts';
import type { TableChains } from './byteChains.ts';
import { eachChain } from './eachChain.ts';

/** The chains of a table, with others in place of those that have their names, or beside them. None is made for it. */
export function overlaidChains(chains: TableChains, over: ReadonlyMap<string, RuleChain>): TableChains {
  function* merged(own: Iterable<RuleChain>): Generator<RuleChain, undefined> {
    const left = new Set(over.keys());
    for (const chain of own) {
      left.delete(chain.name);
      yield over.get(chain.name) ?? chain;
    }
    for (const name of left) yield over.get(name) as RuleChain;
    return undefined;
  }
  const map = mapOnDemand({
    get: (name) => over.get(name) ?? chains.get(name),
    has: (name) => over.has(name) || chains.has(name),
    count: () => [...merged(chains.values())].length,
    values: () => merged(chains.values()),
    nameOf: ({ name }: RuleChain) => name,
  });
  return Object.assign(map, { some: (choice) => merged(eachChain({ chains }, choice)) } satisfies Pick<
    TableChains,
    'some'
  >);
}
