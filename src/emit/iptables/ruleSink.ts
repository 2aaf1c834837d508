import type { Rule } from '../../netfilter/iptables/ast.ts';
import type { ServicePlan } from '../../plan/plan.ts';
import type { EndpointRules } from './endpoints/endpointRules.ts';
import type { EndpointNames } from './nameStore.ts';
import type { PatternWords, RulePattern } from './patterns/rulePattern.ts';

/** The tables that kube-proxy writes rules into (mangle only holds the empty canary chain). */
export type TableName = 'filter' | 'nat';

/**
 * Receives what the emitter lowers, in the order in which kube-proxy writes it; printing runs while services are
 * walked.
 */
export interface RuleSink {
  /** A chain line of the restore text; it empties the chain. Some versions write one twice. */
  readonly chain: (table: TableName, name: string) => void;
  /** The chain lines of a Service port's endpoints; without it each one arrives as a chain. */
  readonly endpointChains?: (names: EndpointNames) => void;
  /**
   * The rules of a Service port's endpoints: the sink has them written on demand, in any order, to its `pattern`.
   * Without it they arrive at once.
   */
  readonly endpointRules?: (rules: EndpointRules) => void;
  /** Parts that hold rules of nat alone are left out. */
  readonly skipsNatRules?: true;
  /** The chains of endpoints, and the rules that lead to them in KUBE-SVC, are left out. */
  readonly skipsEndpoints?: true;
  readonly rule: (table: TableName, rule: Rule) => void;
  /** The rules of a pattern with these words; `key` identifies the pattern. Without it each one arrives as a rule. */
  readonly pattern?: (table: TableName, key: string, make: RulePattern) => (words: PatternWords) => void;
  /** The following lines belong to this service port; undefined: to none. */
  readonly service?: (service: ServicePlan | undefined) => void;
  /** Whether the sink has the rules of this service port from an earlier run: they are not lowered again. */
  readonly hasRulesOf?: (service: ServicePlan) => boolean;
}
