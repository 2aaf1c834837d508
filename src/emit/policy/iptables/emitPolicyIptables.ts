import { type Cidr, cidrContains, parseCidr } from '../../../common/addresses/cidr.ts';
import type { Family } from '../../../common/addresses/family.ts';
import { addressOfFamily } from '../../../model/addressOfFamily.ts';
import type { ClusterTier } from '../../../model/clusterPolicy.ts';
import type { Direction, NetPolicy } from '../../../model/netPolicy.ts';
import type { PolicyPod } from '../../../model/policyModel.ts';
import type { IpSet, IpsetOption } from '../../../netfilter/ipset/ast.ts';
import type { Rule, Ruleset } from '../../../netfilter/iptables/ast.ts';
import {
  addressType,
  from,
  isBridged,
  jumpTo,
  option,
  otherMatch,
  to,
} from '../../../netfilter/iptables/print/builders.ts';
import type { NodePolicies } from '../../../policy/nodePolicies.ts';
import type { PolicyOptions } from '../policyOptions.ts';
import { allowWords } from './allowWords.ts';
import {
  clearAllowed,
  comment,
  hasAllowed,
  lacksAllowed,
  log,
  reject,
  rule,
  setAllowed,
  setPassed,
} from './builders.ts';
import {
  chainNames,
  decision,
  type FixedChainOptions,
  fixedRules,
  hookRules,
  ownTraffic,
  unjudged,
} from './fixedChains.ts';
import { kubeRouterAllows } from './kubeRouterAllows.ts';
import { type NetpolNames, netpolNames } from './netpolNames.ts';
import { type AddressSet, type Allow, podMembers, strictAllows } from './policyAllows.ts';
import { type DenialRule, type TierChains, tierChains } from './tierChains.ts';

/** One family's filter table and sets. */
export interface PolicyRules {
  readonly ruleset: Ruleset;
  readonly sets: readonly IpSet[];
}

/**
 * The policies of a node in kube-router's shape: a chain for each Pod that calls the Pod's policies one by one, and a
 * chain for each policy that marks what it allows. The cost grows with Pods and policies, in contrast to nftables
 * rules.
 */
export function emitPolicyIptables(node: NodePolicies, family: Family, options: PolicyOptions): PolicyRules {
  const layout = options.layout ?? 'strict';
  const isStrict = layout === 'strict';
  const names = netpolNames(layout, family, options.syncVersion ?? '0');
  const allowsOf = (isStrict ? strictAllows : kubeRouterAllows)(node, family, names);
  const closedCIDRs = options.unknownPods === 'deny' ? podRanges(node, family, options) : [];
  const local = node.localPods.flatMap((pod) => podMembers([pod], family).map((ip) => ({ pod, ip })));
  const known = local.filter(({ ip }) => closedCIDRs.some((cidr) => cidrContains(cidr, ip))).map(({ ip }) => ip);
  const virtual = isStrict ? (options.virtualAddresses?.[family] ?? []) : [];
  const fixed: FixedChainOptions = {
    layout,
    sparesNode: isStrict || (options.isHardened === true && closedCIDRs.length > 0),
    allowsEcho: !isStrict || options.icmp === 'allow',
    serviceCIDRs: ofFamily(options.serviceCIDRs ?? ['10.96.0.0/12'], family),
    externalIPRanges: ofFamily(options.externalIPRanges ?? [], family),
    loadBalancerRanges: ofFamily(options.loadBalancerRanges ?? [], family),
    nodePorts: options.nodePortRange ?? '30000:32767',
    closedCIDRs,
    localPods: isStrict ? names.ofContents('SRC', 'hash:ip', known) : names.localPods,
    virtual: virtual.length === 0 ? undefined : names.ofContents('DST', 'hash:ip,port', virtual),
  };

  const applied = new Set(node.localPods.flatMap((pod) => directions.flatMap((each) => node.policiesOf(pod, each))));
  // kube-router makes chains and sets for all policies of the cluster on every node.
  const policies = node.model.policies.filter((policy) => !isStrict || applied.has(policy));

  const rules: Rule[] = [...hookRules(), ...fixedRules(family, fixed)];
  // Policies share sets of equal contents.
  const sets = new Map<string, AddressSet>();
  const add = (name: string, type: AddressSet['type'], members: readonly string[]) =>
    sets.set(name, { name, type, size: members.length, members: members.map((member) => ({ member })) });
  const policyChains = new Set<string>();
  for (const policy of policies) {
    const { sets: own, allows } = allowsOf(policy);
    for (const set of own) sets.set(set.name, set);
    for (const direction of directions) {
      if (policy[direction] === undefined) continue;
      const chain = names.policyChain(policy, direction);
      policyChains.add(chain);
      for (const allow of allows[direction]) for (const each of allowRules(chain, policy, allow)) rules.push(each);
    }
  }
  if (closedCIDRs.length > 0) add(fixed.localPods, 'hash:ip', known);
  if (fixed.virtual !== undefined) add(fixed.virtual, 'hash:ip,port', virtual);
  const denial = denialRules(family, options);
  // kube-router does not have cluster-wide policies.
  const tiers = isStrict ? tierChains(node, family, names, names.podChain, denial.rules) : undefined;
  const ofPods = local.flatMap(({ pod, ip }) => podRules(node, pod, ip, names, options, { tiers, denial }));
  for (const each of tiers?.rules ?? []) rules.push(each);
  for (const set of tiers?.sets ?? []) sets.set(set.name, set);
  for (const name of tiers?.names ?? []) policyChains.add(name);
  for (const each of ofPods) rules.push(each);
  for (const each of hookedRules(local, names, fixed)) rules.push(each);

  const own = [...Object.values(chainNames), ...policyChains, ...new Set(local.map(({ pod }) => names.podChain(pod)))];
  const chains = [
    ...['INPUT', 'FORWARD', 'OUTPUT'].map((name) => ({ name, policy: 'ACCEPT', counters: '[0:0]' })),
    ...own.map((name) => ({ name, counters: '[0:0]' })),
  ];
  return {
    ruleset: { kind: 'iptables', family, tables: [{ name: 'filter', chains, rules }] },
    sets: [...sets.values()].map((set) => ipSet(set, family)),
  };
}

/** Rules of a family are written if the node or one of its Pods has the family. */
export function speaksFamily(node: NodePolicies, family: Family, nodeName: string | undefined): boolean {
  const nodes = node.model.nodes.filter(({ name }) => nodeName === undefined || name === nodeName);
  return [...nodes, ...node.localPods].some((holder) => addressOfFamily(holder, family) !== undefined);
}

const directions = ['ingress', 'egress'] as const satisfies readonly Direction[];

/** Marks what is allowed, and returns from the chain. */
function allowRules(chain: string, { id }: NetPolicy, allow: Allow): readonly Rule[] {
  const words = allowWords({ ...allow, tag: `${id} ${allow.tag}` });
  return [rule(chain, words, setAllowed), rule(chain, [...words, hasAllowed], jumpTo('RETURN'))];
}

/** The end for traffic, preceded by logging if it is wanted. */
function denialRules(family: Family, options: PolicyOptions): DenialOf {
  const isStrict = options.layout !== 'kube-router';
  const logGroup = options.logGroup ?? (isStrict ? undefined : 100);
  const isRejecting = !isStrict || options.deny === 'reject';
  const limit = otherMatch('limit', option('limit', '10/min'), option('limit-burst', '10'));
  return {
    isRejecting,
    rules: [
      ...(logGroup === undefined ? [] : [{ words: [limit], target: log(logGroup) }]),
      { words: [], target: isRejecting ? reject(family) : jumpTo('DROP') },
    ],
  };
}

interface DenialOf {
  readonly isRejecting: boolean;
  readonly rules: readonly DenialRule[];
}

function podRules(
  node: NodePolicies,
  pod: PolicyPod,
  ip: string,
  names: NetpolNames,
  options: PolicyOptions,
  { tiers, denial }: { readonly tiers: TierChains | undefined; readonly denial: DenialOf },
): readonly Rule[] {
  const chain = names.podChain(pod);
  const isStrict = options.layout !== 'kube-router';
  const policies = { ingress: node.policiesOf(pod, 'ingress'), egress: node.policiesOf(pod, 'egress') };
  const rules = [rule(chain, [comment('common netpol rules')], jumpTo(chainNames.common))];
  if (isStrict && options.hairpin !== 'policy') {
    rules.push(rule(chain, [from(ip), to(ip), comment('to itself')], jumpTo('ACCEPT')));
  }
  // After the output hook a local source is a forged one: `strict` checks it there.
  if (!isStrict) {
    rules.push(rule(chain, [to(ip), comment('from local node'), addressType('src-type')], jumpTo('ACCEPT')));
  }
  // Another program may use this bit, and would open all policies by setting it.
  if (isStrict || options.isHardened === true) {
    rules.push(rule(chain, [comment('marks of other programs do not count')], clearAllowed));
  }
  const enter = (tier: ClusterTier, direction: Direction) => tiers?.entrance(pod, ip, tier, direction) ?? [];
  for (const direction of directions) rules.push(...enter('Admin', direction));
  for (const direction of directions) if (policies[direction].length === 0) rules.push(...enter('Baseline', direction));
  if (policies.egress.length === 0) {
    rules.push(rule(chain, [from(ip), comment('default egress')], jumpTo(chainNames.default)));
  }
  if (policies.ingress.length === 0) {
    rules.push(rule(chain, [to(ip), comment('default ingress')], jumpTo(chainNames.default)));
  }
  for (const policy of new Set([...policies.ingress, ...policies.egress])) {
    const text = comment(`${policy.id} policy`);
    const isBoth = policy.ingress !== undefined && policy.egress !== undefined;
    if (isBoth && !isStrict) {
      // Its fault: what the policy allows in one direction also passes in the other.
      rules.push(rule(chain, [text], jumpTo(names.policyChain(policy, 'ingress'))));
      continue;
    }
    if (policy.ingress !== undefined)
      rules.push(rule(chain, [to(ip), text], jumpTo(names.policyChain(policy, 'ingress'))));
    if (policy.egress !== undefined)
      rules.push(rule(chain, [from(ip), text], jumpTo(names.policyChain(policy, 'egress'))));
  }
  for (const { words, target } of denial.rules) {
    const what = target.kind === 'other' ? 'log-drop' : denial.isRejecting ? 'reject' : 'drop';
    rules.push(rule(chain, [comment(`${pod.id} ${what}`), lacksAllowed, ...words], target));
  }
  rules.push(rule(chain, [], clearAllowed));
  rules.push(rule(chain, [comment('set netpol-ok mark')], setPassed));
  return rules;
}

/** From the three hooks to the pods' chains. */
function hookedRules(
  local: readonly { readonly pod: PolicyPod; readonly ip: string }[],
  names: NetpolNames,
  fixed: FixedChainOptions,
): readonly Rule[] {
  const { input, forward, output } = chainNames;
  const rules = [...ownTraffic(fixed), ...unjudged(fixed)];
  for (const { pod, ip } of local) {
    const leaving = [from(ip), comment(`${pod.id} out`)];
    rules.push(rule(input, leaving, jumpTo(names.podChain(pod))));
  }
  for (const { pod, ip } of local) {
    const target = jumpTo(names.podChain(pod));
    for (const [side, tag] of [[to(ip), 'in'] as const, [from(ip), 'out'] as const]) {
      const text = comment(`${pod.id} ${tag}`);
      rules.push(rule(forward, [side, text], target), rule(forward, [side, isBridged, text], target));
      rules.push(rule(output, [side, text], target));
    }
  }
  return [...rules, ...[input, forward, output].flatMap((chain) => decision(chain, fixed.layout))];
}

function ipSet(set: AddressSet, family: Family): IpSet {
  const { name, type, size } = set;
  const never: IpsetOption = { name: 'timeout', value: '0' };
  const options: readonly IpsetOption[] = [
    { name: 'family', value: family === 'ipv4' ? 'inet' : 'inet6' },
    // ipset holds 65536 members by default.
    ...(size > 65_536 ? [{ name: 'maxelem', value: String(2 ** Math.ceil(Math.log2(size))) }] : []),
    never,
  ];
  const plain = [never];
  const exception = [never, { name: 'nomatch' }];
  return {
    name,
    type,
    options,
    get members() {
      return set.members.map(({ member, isException }) => ({ member, options: isException ? exception : plain }));
    },
  };
}

function podRanges({ model }: NodePolicies, family: Family, { node, podCIDRs }: PolicyOptions): readonly Cidr[] {
  const nodes = model.nodes.filter(({ name }) => node === undefined || name === node);
  const cidrs = podCIDRs ?? nodes.flatMap((each) => each.podCIDRs.map(parseCidr)).filter((cidr) => cidr !== undefined);
  return cidrs.filter((cidr) => cidr.family === family);
}

function ofFamily(cidrs: readonly string[], family: Family): readonly string[] {
  return cidrs.filter((cidr) => parseCidr(cidr)?.family === family);
}
