import type { RuleChange } from './ruleChange.ts';

/** What differs between the policies of the manifests and the rules of a dump that enforce policies: ours or kube-router's. */
export interface PolicyDifference {
  readonly changes: readonly RuleChange[];
  readonly notes: readonly string[];
}
