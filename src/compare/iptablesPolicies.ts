import type { Family } from '../common/addresses/family.ts';
import type { RuleTable, ToolRules } from '../node/nodeRules.ts';
import { type PolicyRule, pickPolicyRules } from './pickPolicyRules.ts';

/** Policies in iptables: the filter table of one family, and the sets that it uses; undefined sets were not dumped. */
export interface IptablesPolicies {
  readonly family: Family;
  readonly filter: RuleTable;
  readonly sets: ToolRules | undefined;
  /** Those of the table, parsed once for all who ask. */
  readonly rules: readonly PolicyRule[];
}

export function iptablesPolicies(family: Family, filter: RuleTable, sets: ToolRules | undefined): IptablesPolicies {
  return { family, filter, sets, rules: pickPolicyRules(filter, family) };
}
