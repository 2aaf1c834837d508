import type { ByteChains, TableChains } from '../../../node/chains/byteChains.ts';
import { chainsInOrder } from '../../../node/chains/chainsInOrder.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';

/**
 * All chains of a table, of which some are still bytes. Asking for such a chain makes it; iterating makes them one
 * after another, in the order of the dump.
 */
export function chainsOnDemand(bytes: ByteChains): TableChains {
  const { others } = bytes;
  let size: number | undefined;
  const all = () => chainsInOrder(bytes, bytes.numbers());
  const chains: TableChains = {
    bytes,
    get: (name) => {
      const other = others.get(name);
      if (other !== undefined) return other;
      const chain = bytes.find(name);
      return chain === -1 ? undefined : bytes.chainAt(chain);
    },
    has: (name) => others.has(name) || bytes.find(name) !== -1,
    get size() {
      size ??= others.size + countOf(bytes.numbers());
      return size;
    },
    forEach: (visit, self) => {
      for (const chain of all()) visit.call(self, chain, chain.name, chains);
    },
    entries: () => mapped(all(), (chain) => [chain.name, chain]),
    keys: () => mapped(all(), ({ name }) => name),
    values: all,
    [Symbol.iterator]: () => chains.entries(),
  };
  return chains;
}

function countOf(items: Iterable<unknown>): number {
  let count = 0;
  for (const _item of items) count += 1;
  return count;
}

function* mapped<T>(chains: Iterable<RuleChain>, show: (chain: RuleChain) => T): Generator<T, undefined> {
  for (const chain of chains) yield show(chain);
  return undefined;
}
