import type { Family } from '../../common/addresses/family.ts';
import type { IptablesPolicies } from '../../compare/iptablesPolicies.ts';
import type { PolicyHabits } from '../../compare/policyHabits.ts';
import { policyRoles } from '../../compare/policyRoles.ts';
import { isPolicySet, policyTableName } from '../../netfilter/policyParts.ts';
import type { NetworkFacts } from '../../node/networkFacts.ts';
import type { NodeRules, RuleTable, ToolRules } from '../../node/nodeRules.ts';
import { nodeRulesOf } from '../../node/ruleKinds.ts';
import type { PolicySide } from './gateDifference.ts';
import { gateJudge } from './gateJudge.ts';
import { iptablesGates, nftGates } from './policyGates.ts';

type Habits = Pick<PolicyHabits, 'unknownPods'>;

/** The rules of one family in iptables that enforce policies, on a node with this network. */
export function iptablesSide(policies: IptablesPolicies, network: NetworkFacts, habits: Habits): PolicySide {
  const { family, filter, sets } = policies;
  const tool: ToolRules = { kind: 'iptables', family, tables: new Map([['filter', filter]]), files: [] };
  const rules = nodeWith([tool, ...(sets === undefined ? [] : [sets])], network);
  return {
    ...iptablesGates(policies),
    judge: gateJudge(rules, family, 'filter'),
    shutsOthers: habits.unknownPods === 'deny',
  };
}

/** Our table of nftables of one family. */
export function nftSide(table: RuleTable, family: Family, network: NetworkFacts, habits: Habits): PolicySide {
  const tool: ToolRules = { kind: 'nftables', family, tables: new Map([[table.name, table]]), files: [] };
  return {
    ...nftGates(table),
    judge: gateJudge(nodeWith([tool], network), family, policyTableName),
    shutsOthers: habits.unknownPods === 'deny',
  };
}

/**
 * The chains of a role, and for a set those whose rules ask it in that role, by their names on either side. In the strict
 * layout one set serves many policies.
 */
export function chainsOfRoles(
  sides: readonly IptablesPolicies[],
  hasContentNames: boolean,
): (role: string) => readonly string[] {
  const names = new Map<string, Set<string>>();
  const note = (role: string, name: string) => names.set(role, (names.get(role) ?? new Set()).add(name));
  for (const { rules } of sides) {
    const { roles, askers } = policyRoles(rules, hasContentNames);
    for (const [name, own] of roles) if (!isPolicySet(name)) for (const role of own) note(role, name);
    for (const [role, chains] of askers) for (const chain of chains) note(role, chain);
  }
  // What no rule leads to or asks has its name alone, or that with its owner: `KUBE-SRC-A62M3SQ56WYFCUTX (shop/web)`.
  return (role) => [...(names.get(role) ?? [role.split(' ', 1)[0] ?? role])];
}

function nodeWith(rules: readonly ToolRules[], network: NetworkFacts): NodeRules {
  return { ...nodeRulesOf('', rules), network };
}
