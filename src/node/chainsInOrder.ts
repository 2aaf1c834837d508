import type { ByteChains } from './byteChains.ts';
import { numberAt } from './chainLines.ts';
import type { RuleChain } from './nodeRules.ts';

/** Chains of one table in its order. */
export function chainsInOrder(chains: readonly RuleChain[], { rankOf }: ByteChains): readonly RuleChain[] {
  const ranked = chains.map((chain) => ({ chain, rank: rankOf(chain) }));
  return ranked.sort((one, other) => one.rank - other.rank).map(({ chain }) => chain);
}

/** The line that names a chain first, unless it is declared behind its rules. */
export function firstNamed(chain: RuleChain): number {
  return chain.declaredAt || numberAt(chain, 0);
}
