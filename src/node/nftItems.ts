import type { NftElement, NftRule } from '../netfilter/nft/ast.ts';
import { linesOf } from './lines/chainLines.ts';
import type { RuleChain } from './ruleChain.ts';

/** A rule or an element, and the number of its line in the chain. */
export interface NftItem<T> {
  readonly item: T;
  readonly at: number;
}

/** The rules of an nft chain, behind the line of its hook; empty for anything else. */
export function nftRulesOf(chain: RuleChain | undefined): readonly NftItem<NftRule>[] {
  return chain?.content?.kind === 'nftChain' ? numbered(chain, chain.content.chain.rules) : [];
}

/** The elements of a set or map that the dump shows; empty if rules fill it. */
export function nftElementsOf(chain: RuleChain | undefined): readonly NftItem<NftElement>[] {
  if (chain?.content?.kind !== 'nftSet' || chain.text === '') return [];
  return numbered(chain, chain.content.set.elements);
}

function numbered<T>(chain: RuleChain, items: readonly T[]): readonly NftItem<T>[] {
  const first = linesOf(chain).length - items.length;
  return items.map((item, index) => ({ item, at: first + index }));
}
