import type { Rule } from '../netfilter/iptables/ast.ts';
import { commentOf } from '../netfilter/iptables/ruleParts.ts';
import type { Statement } from '../netfilter/nft/ast.ts';
import { withoutPartHashes } from '../netfilter/policyParts.ts';
import { nftRulesOf } from '../node/nftItems.ts';
import type { RuleTable } from '../node/nodeRules.ts';
import type { IptablesPolicies } from './iptablesPolicies.ts';

/** Settings of the program that wrote policy rules, which the rules show and no manifest contains. */
export interface PolicyHabits {
  readonly deny: 'reject' | 'drop';
  readonly icmp: 'allow' | 'policy';
  readonly hairpin: 'allow' | 'policy';
  readonly hook: 'postrouting' | 'forward';
  readonly unknownPods: 'deny' | 'allow';
  readonly logGroup?: number;
  readonly serviceCIDRs?: readonly string[];
  /** kube-router's layout with our rules in it. */
  readonly isHardened: boolean;
  /** The input hook lets traffic to IPVS addresses pass. */
  readonly isBehindIpvs: boolean;
}

/** From an iptables filter table. */
export function iptablesPolicyHabits(policies: IptablesPolicies): PolicyHabits {
  const rules = policies.rules.map(({ rule }) => rule);
  const says = (start: string) => (rule: Rule) => commentOf(rule)?.startsWith(start) === true;
  const groups = rules.flatMap(({ target }) => (target?.kind === 'other' ? target.options : []));
  const group = groups.find(({ name }) => name === 'nflog-group')?.values[0];
  const ranges = rules
    .filter(says('allow traffic to primary/secondary cluster IP range'))
    .flatMap(({ words }) => words.flatMap((word) => (word.kind === 'destination' ? [word.address] : [])));
  return {
    deny: rules.some(({ target }) => target?.kind === 'reject') ? 'reject' : 'drop',
    icmp: rules.some(says('allow icmp echo requests')) ? 'allow' : 'policy',
    hairpin: rules.some(says('to itself')) ? 'allow' : 'policy',
    hook: 'forward',
    unknownPods: rules.some(says('reject unprogrammed local pod')) ? 'deny' : 'allow',
    isHardened: rules.some(says('marks of other programs do not count')),
    isBehindIpvs: rules.some(says('judged behind the translation of IPVS')),
    ...(group !== undefined && { logGroup: Number(group) }),
    ...(ranges.length > 0 && { serviceCIDRs: ranges }),
  };
}

/** From our nftables table. */
export function nftPolicyHabits({ chains }: RuleTable): PolicyHabits {
  const all = [...chains.values()];
  const parts = new Set(all.map(({ name }) => withoutPartHashes(name)));
  const statements = all.flatMap((chain) => nftRulesOf(chain).flatMap(({ item }) => item.statements));
  const group = statements.find((one) => one.kind === 'log' && one.group !== undefined);
  const isPostrouting = all.some(
    ({ content }) => content?.kind === 'nftChain' && content.chain.base?.hook === 'postrouting',
  );
  return {
    deny: statements.some(({ kind }) => kind === 'reject') ? 'reject' : 'drop',
    icmp: statements.some(isEcho) ? 'allow' : 'policy',
    hairpin: parts.has('set self') ? 'allow' : 'policy',
    hook: isPostrouting ? 'postrouting' : 'forward',
    unknownPods: parts.has('set local-pods') ? 'deny' : 'allow',
    isHardened: false,
    isBehindIpvs: false,
    ...(group?.kind === 'log' && { logGroup: group.group as number }),
  };
}

function isEcho(statement: Statement): boolean {
  if (statement.kind !== 'match' || statement.left.kind !== 'payload' || statement.left.field !== 'type') return false;
  const { right } = statement;
  const values = right.kind === 'value' ? right.key : right.kind === 'anonymousSet' ? right.elements.flat() : [];
  return values.includes('echo-request');
}
