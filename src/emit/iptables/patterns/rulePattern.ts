import type { Rule } from '../../../netfilter/iptables/ast.ts';

/** The words in which the rules of endpoints differ. */
export interface PatternWords {
  /** The name of the Service port. */
  readonly name: string;
  /** The chain of the rule. */
  readonly chain: string;
  /** The chain that it leads to, if it does. */
  readonly target: string;
  readonly ip: string;
  /** `ip:port`. */
  readonly address: string;
  /** The share of traffic, as kube-proxy writes it. */
  readonly share: string;
}

/** Makes the rule for some words; everything else in it is the same for one pattern. */
export type RulePattern = (words: PatternWords) => Rule;
