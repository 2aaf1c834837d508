import type { Rule } from '../../netfilter/iptables/ast.ts';

/** What the rules of endpoints differ in. */
export interface PatternWords {
  /** Of the Service port. */
  readonly name: string;
  /** That the rule stands in. */
  readonly chain: string;
  /** That it leads to, if it does. */
  readonly target: string;
  readonly ip: string;
  /** `ip:port`. */
  readonly address: string;
  /** The share of traffic, as kube-proxy writes it. */
  readonly share: string;
}

/** Makes the rule of some words; all else in it is the same for one pattern. */
export type RulePattern = (words: PatternWords) => Rule;
