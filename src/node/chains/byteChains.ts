import type { ServiceChainKind } from '../../netfilter/proxyChains.ts';
import type { RuleChain } from '../ruleChain.ts';
import type { ChainChoice } from './chainChoice.ts';
import type { ChainUse } from './chainUse.ts';

/**
 * Chains of Services in the nat table of a long dump that stay bytes. Each has a hash in its name, is declared once and
 * has rules. A large node has more than a hundred thousand of them, and a comparison needs the text only of those that
 * differ. They are identified by numbers, in the order of the dump.
 */
export interface ByteChains {
  /** Numbers are smaller than this. */
  readonly end: number;
  /** How many there are: all of them, or the wanted ones. */
  readonly numbers: (isWanted?: (chain: number) => boolean) => Iterable<number>;
  /** The number of a chain; -1 if it is not one of these. */
  readonly find: (name: string) => number;
  /** Whether the rules of a chain are exactly this text. */
  readonly hasText: (chain: number, text: string) => boolean;
  /**
   * The chain looks as kube-proxy writes it, so no check finds anything in it: that of an endpoint over IPv4, or one that
   * shares packets evenly among such endpoints.
   */
  readonly isUsual: (chain: number) => boolean;
  readonly kindOf: (chain: number) => ServiceChainKind;
  /** The line that declares it. */
  readonly lineOf: (chain: number) => number;
  /** The same chain as text; made only once. */
  readonly chainAt: (chain: number) => RuleChain;
  /** Where a chain stands in the order of the table; for a chain in bytes, where its declaration stands. */
  readonly rankOf: (chain: RuleChain) => number;
  /** All other chains of the table. */
  readonly others: ReadonlyMap<string, RuleChain>;
  readonly uses: () => ByteUses;
}

/** What the rules of these chains lead to. */
export interface ByteUses {
  /** Whether a rule leads to the chain, which must be one of these. */
  readonly isUsed: (chain: number) => boolean;
  /** The first rule that leads to each of kube-proxy's chains outside of these. */
  readonly others: ReadonlyMap<string, ChainUse>;
}

/**
 * The chains of a table by name. In a long dump some are made only on request: going through this map makes all of
 * them, `eachChain` only the wanted ones.
 */
export interface TableChains extends ReadonlyMap<string, RuleChain> {
  readonly bytes?: ByteChains;
  /** As `eachChain`, where chains are compiled only on request; those of endpoints come last. */
  readonly some?: (choice: ChainChoice) => Iterable<RuleChain>;
}
