import type { RuleChange } from './ruleChange.ts';

/**
 * A difference between the policies of the manifests and the rules of a dump that enforce policies, either ours or
 * kube-router's.
 */
export interface PolicyDifference {
  readonly changes: readonly RuleChange[];
  readonly notes: readonly string[];
}
