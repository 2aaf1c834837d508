import type { ServiceChainKind } from '../../netfilter/proxyChains.ts';
import type { RuleChain } from '../ruleChain.ts';
import type { ChainUse } from './chainUse.ts';

/**
 * Chains of Services in the table nat of a long dump, each with a hash in its name, declared once and with rules, that
 * stand there as bytes: a large node has more than a hundred thousand, and a comparison needs the text of those alone that
 * are not as they should be. They go by numbers, in the order of the dump.
 */
export interface ByteChains {
  /** Numbers are smaller than this. */
  readonly end: number;
  /** Of all, or of those that are wanted. */
  readonly numbers: (isWanted?: (chain: number) => boolean) => Iterable<number>;
  /** The number of a chain; -1: it is none of these. */
  readonly find: (name: string) => number;
  /** The rules of a chain have just this text. */
  readonly hasText: (chain: number, text: string) => boolean;
  readonly kindOf: (chain: number) => ServiceChainKind;
  /** The line that declares it. */
  readonly lineOf: (chain: number) => number;
  /** The same chain as text; it is made once. */
  readonly chainAt: (chain: number) => RuleChain;
  /** Where a chain of the table stands in its order; the line that declares it, of those in bytes. */
  readonly rankOf: (chain: RuleChain) => number;
  /** All other chains of the table. */
  readonly others: ReadonlyMap<string, RuleChain>;
  readonly uses: () => ByteUses;
}

/** What rules of such chains lead to. */
export interface ByteUses {
  /** A rule leads to the chain, which is one of them. */
  readonly isUsed: (chain: number) => boolean;
  /** The first rule that leads to each of kube-proxy's chains that is none of them. */
  readonly others: ReadonlyMap<string, ChainUse>;
}

/**
 * The chains of a table by their names. Of a long dump some are made when somebody asks for them: who goes through all has
 * all made, and `eachChain` those that are wanted.
 */
export interface TableChains extends ReadonlyMap<string, RuleChain> {
  readonly bytes?: ByteChains;
}
