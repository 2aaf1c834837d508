import type { Family } from '../../common/addresses/family.ts';
import { emitPolicies } from '../../emit/policy/emitPolicies.ts';
import type { PolicyLayout } from '../../emit/policy/iptables/netpolNames.ts';
import { virtualAddresses } from '../../emit/policy/iptables/virtualAddresses.ts';
import type { PolicyOptions } from '../../emit/policy/policyOptions.ts';
import type { PolicyModel } from '../../model/policyModel.ts';
import { policyTable } from '../../netfilter/policyParts.ts';
import { ipsetRules } from '../../node/ipvsRules.ts';
import { nftRules } from '../../node/nftRules.ts';
import type { RuleTable, ToolRules } from '../../node/nodeRules.ts';
import type { Compiled } from '../compile.ts';
import { savedRules } from './savedRules.ts';

/** Options apart from the policies. */
export interface ExpectedPoliciesOptions extends Omit<PolicyOptions, 'virtualAddresses'> {
  readonly isBehindIpvs: boolean;
}

/** The filter table and the sets that should enforce the policies of a node in iptables. */
export function expectedPolicyIptables(
  compiled: Pick<Compiled, 'plans'>,
  model: PolicyModel,
  family: Family,
  layout: PolicyLayout,
  { isBehindIpvs, ...options }: ExpectedPoliciesOptions,
): { readonly filter: RuleTable; readonly sets: ToolRules | undefined } {
  const served = isBehindIpvs ? { virtualAddresses: servedAddresses(compiled) } : {};
  const asked = { ...options, ...served, layout, backends: ['iptables'] as const, families: [family] };
  const rules = emitPolicies(model, asked, () => undefined).iptables?.get(family);
  if (rules === undefined) return { filter: noRules, sets: undefined };
  const sets = ipsetRules({ kind: 'ipset', sets: rules.sets }, '').find((set) => set.family === family);
  return { filter: savedRules(rules.ruleset).tables.get('filter') ?? noRules, sets };
}

const noRules: RuleTable = { name: 'filter', isWhole: true, chains: new Map() };

/** The table that should enforce the policies of a node in nftables. */
export function expectedPolicyNft(
  model: PolicyModel,
  family: Family,
  { isBehindIpvs: _, ...options }: ExpectedPoliciesOptions,
): RuleTable {
  const asked = { ...options, backends: ['nftables'] as const, families: [family] };
  const table = emitPolicies(model, asked, () => undefined).nftables?.get(family);
  const rules = table && nftRules({ kind: 'nftables', tables: [table] }, '');
  const name = policyTable(family);
  return rules?.[0]?.tables.get(name) ?? { name, isWhole: true, chains: new Map() };
}

function servedAddresses({ plans }: Pick<Compiled, 'plans'>): Readonly<Record<Family, readonly string[]>> {
  const served = new Map(plans.map((plan) => [plan.family, virtualAddresses(plan)]));
  return { ipv4: served.get('ipv4') ?? [], ipv6: served.get('ipv6') ?? [] };
}
