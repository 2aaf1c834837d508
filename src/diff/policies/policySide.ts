import type { Family } from '../../common/addresses/family.ts';
import type { IptablesPolicies } from '../../compare/iptablesPolicies.ts';
import type { PolicyHabits } from '../../compare/policyHabits.ts';
import { policyRoles } from '../../compare/policyRoles.ts';
import { isPolicySet, policyTable, policyTableName } from '../../netfilter/policyParts.ts';
import type { NodeRules, RuleTable } from '../../node/nodeRules.ts';
import type { PolicySide } from './gateDifference.ts';
import { gateJudge } from './gateJudge.ts';
import { iptablesGates, nftGates } from './policyGates.ts';

/** The rules of one family in iptables that enforce policies, on a node with the network of the dump. */
export function iptablesSide(policies: IptablesPolicies, dump: NodeRules, habits: PolicyHabits): PolicySide {
  const { family, filter, sets } = policies;
  const tables = new Map([['filter', filter]]);
  const rules: NodeRules = {
    ...onlyNetwork(dump),
    iptables: [{ kind: 'iptables', family, tables, files: [] }],
    ipsets: sets === undefined ? [] : [sets],
  };
  return {
    ...iptablesGates(policies),
    judge: gateJudge(rules, family, 'filter'),
    shutsOthers: habits.unknownPods === 'deny',
  };
}

/** Our table of nftables of one family. Undefined: there is none. */
export function nftSide(
  table: RuleTable | undefined,
  family: Family,
  dump: NodeRules,
  habits: PolicyHabits,
): PolicySide {
  const own = table ?? { name: policyTable(family), isWhole: true, chains: new Map() };
  const tables = new Map([[own.name, own]]);
  const rules: NodeRules = { ...onlyNetwork(dump), nft: [{ kind: 'nftables', family, tables, files: [] }] };
  return {
    ...nftGates(own),
    judge: gateJudge(rules, family, policyTableName),
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

function onlyNetwork(dump: NodeRules): NodeRules {
  return { ...dump, iptables: [], nft: [], ipsets: [], ipvs: [], connections: [], chainsListedByNft: [] };
}
