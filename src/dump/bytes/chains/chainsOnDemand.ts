import { mapOnDemand } from '../../../common/mapOnDemand.ts';
import type { ByteChains, TableChains } from '../../../node/chains/byteChains.ts';
import { chainsInOrder } from '../../../node/chains/chainsInOrder.ts';

/**
 * All chains of a table, of which some are still bytes. Asking for such a chain makes it; iterating makes them one
 * after another, in the order of the dump.
 */
export function chainsOnDemand(bytes: ByteChains): TableChains {
  const { others } = bytes;
  const chains = mapOnDemand({
    get: (name) => {
      const other = others.get(name);
      if (other !== undefined) return other;
      const chain = bytes.find(name);
      return chain === -1 ? undefined : bytes.chainAt(chain);
    },
    has: (name) => others.has(name) || bytes.find(name) !== -1,
    count: () => others.size + countOf(bytes.numbers()),
    values: () => chainsInOrder(bytes, bytes.numbers()),
    nameOf: ({ name }) => name,
  });
  return Object.assign(chains, { bytes });
}

function countOf(items: Iterable<unknown>): number {
  let count = 0;
  for (const _item of items) count += 1;
  return count;
}
