import type { NodeRules } from './nodeRules.ts';

/**
 * All that nft listed is one set, one map or one chain without a hook, as `nft list chain` does: which tables the node has is
 * unknown. One chain with a hook may be all that there is.
 */
export function isOneNftItem({ nft }: Pick<NodeRules, 'nft'>): boolean {
  const [table, ...others] = nft.flatMap(({ tables }) => [...tables.values()]);
  if (table?.chains.size !== 1 || others.length > 0) return false;
  return [...table.chains.values()].every(({ content }) => content?.kind !== 'nftChain' || !content.chain.base);
}
