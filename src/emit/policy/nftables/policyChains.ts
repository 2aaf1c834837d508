import { addressNumber, formatAddressNumber } from '../../../common/addresses/addressNumber.ts';
import type { Family } from '../../../common/addresses/family.ts';
import { ascending } from '../../../common/ascending.ts';
import { compareBytes } from '../../../common/compareBytes.ts';
import type { ClusterPolicy, ClusterRule } from '../../../model/clusterPolicy.ts';
import type { Direction, NetPolicy, NetPolicyRule } from '../../../model/netPolicy.ts';
import type { PolicyPod } from '../../../model/policyModel.ts';
import type { NftChain, NftElement, NftRule, NftSet, Statement } from '../../../netfilter/nft/ast.ts';
import { clusterNetRule } from '../../../policy/cluster/clusterNetRule.ts';
import { tierRuns } from '../../../policy/cluster/tierRuns.ts';
import type { NodePolicies } from '../../../policy/nodePolicies.ts';
import { contentName } from '../../../policy/rules/contentName.ts';
import { ruleResolver } from '../../../policy/rules/resolveRule.ts';
import { peerMatchName, portMatchName, type RuleGroup, ruleGroups } from '../../../policy/rules/ruleGroups.ts';
import { clampComment } from '../clampComment.ts';
import {
  concat,
  destinationPort,
  type FilterWords,
  filterWords,
  inSet,
  transportProtocol,
  verdict,
} from './filterWords.ts';
import { intervalSet } from './intervalSet.ts';

/** Chains that hold policies' rules, the sets that these look into, and which pod address goes to which chain. */
export interface PolicyChains {
  readonly chains: readonly NftChain[];
  readonly sets: readonly NftSet[];
  readonly verdicts: Readonly<Record<Direction, readonly NftElement[]>>;
}

/**
 * One chain for every distinct list of rules: pods with the same policies share it. Names say contents, so what does not
 * change keeps its name. Traffic that a rule allows returns, so that the other side is asked as well; what no rule of a
 * NetworkPolicy allows meets `denial` at the chain's end.
 *
 * Of cluster-wide policies a chain holds the Admin tier in front, and the Baseline tier where no NetworkPolicy isolates the
 * pod. A rule that passes has to skip the rest of its tier, and so what follows stands in a chain of its own then.
 */
export function policyChains(node: NodePolicies, family: Family, denial: readonly NftRule[]): PolicyChains {
  const words = filterWords(family);
  const resolve = ruleResolver(node.model, node.selection, family);
  const netRules = new Map<ClusterRule, NetPolicyRule>();
  const netRuleOf = (rule: ClusterRule) => {
    const known = netRules.get(rule) ?? clusterNetRule(node.model, rule);
    netRules.set(rule, known);
    return known;
  };
  const sets = new Map<string, NftSet>();
  const chains = new Map<string, readonly ChainStep[]>();
  const verdicts: Record<Direction, readonly NftElement[]> = { ingress: [], egress: [] };
  const chainOf = (direction: Direction, steps: readonly ChainStep[]): string => {
    const chain = contentName(direction === 'ingress' ? 'in' : 'eg', stepsName(steps));
    const known = chains.get(chain);
    // Other policies may say the same: the comments name all of them.
    chains.set(chain, known === undefined ? steps : known.map((step, at) => joinPolicies(step, steps[at])));
    for (const step of steps) if ('group' in step) for (const set of setsOf(step.group, words)) sets.set(set.name, set);
    return chain;
  };

  for (const direction of ['egress', 'ingress'] as const) {
    const elements: { readonly address: bigint; readonly element: NftElement }[] = [];
    for (const { policies, wide, addresses } of classesOf(node, family, direction)) {
      const subjects = [...new Set([...addresses.values()].flat())];
      const tier = (name: ClusterPolicy['tier']) =>
        tierRuns(wide, name, direction).map(({ action, rules }) => {
          const resolved = rules.map(({ policy, rule }) => ({
            policy: policy.id,
            rule: resolve(policy, direction, netRuleOf(rule), subjects),
          }));
          return { action, groups: ruleGroups(resolved, direction) };
        });
      const own = policies.flatMap((policy) =>
        (policy[direction] ?? []).map((rule) => ({
          policy: policy.id,
          rule: resolve(policy, direction, rule, subjects),
        })),
      );
      const rest = policies.length > 0 ? isolatingSteps(ruleGroups(own, direction)) : baselineSteps(tier('Baseline'));
      const chain = chainOf(
        direction,
        withAdminSteps(tier('Admin'), rest, (steps) => chainOf(direction, steps)),
      );
      for (const [ip, pods] of addresses) {
        const comment = clampComment(pods.map(({ id }) => id));
        const element: NftElement = { key: [ip], comment, verdict: { kind: 'jump', chain } };
        elements.push({ address: addressNumber(ip, family) ?? 0n, element });
      }
    }
    elements.sort((a, b) => ascending(a.address, b.address));
    verdicts[direction] = elements.map(({ element }) => element);
  }
  return {
    chains: [...chains]
      .sort(([a], [b]) => compareBytes(a, b))
      .map(([name, steps]) => ({ name, rules: steps.flatMap((step) => stepRules(name, step, words, denial)) })),
    sets: [...sets.values()].sort((a, b) => compareBytes(a.name, b.name)),
    verdicts,
  };
}

interface PodClass {
  readonly policies: readonly NetPolicy[];
  readonly wide: readonly ClusterPolicy[];
  readonly addresses: ReadonlyMap<string, readonly PolicyPod[]>;
}

/** Local addresses that policies are about, together where they are the same ones. */
function classesOf(node: NodePolicies, family: Family, direction: Direction): readonly PodClass[] {
  const classes = new Map<string, PodClass & { readonly addresses: Map<string, readonly PolicyPod[]> }>();
  for (const [ip, pods] of node.localAddresses(family)) {
    const policies = [...new Set(pods.flatMap((pod) => node.policiesOf(pod, direction)))];
    const own = new Set(pods.flatMap((pod) => node.clusterPoliciesOf(pod, direction)));
    if (policies.length + own.size === 0) continue;
    const wide = own.size === 0 ? [] : node.model.clusterPolicies.filter((policy) => own.has(policy));
    const ids = [...policies, ...wide].map(({ id }) => id);
    const key = ids.sort().join();
    const known = classes.get(key);
    if (known) known.addresses.set(ip, pods);
    else classes.set(key, { policies, wide, addresses: new Map([[ip, pods]]) });
  }
  return [...classes.values()];
}

function isolatingSteps(groups: readonly RuleGroup[]): readonly ChainStep[] {
  const allowed = groups.map((group): ChainStep => ({ group, action: 'allow' }));
  const allowsAll = groups.some(({ peers, ports }) => peers.kind === 'any' && ports.kind === 'any');
  return allowsAll ? allowed : [...allowed, { action: 'deny' }];
}

type TierGroups = readonly { readonly action: ClusterRule['action']; readonly groups: readonly RuleGroup[] }[];

/** Nothing stands behind it: what it passes is allowed. */
function baselineSteps(tier: TierGroups): readonly ChainStep[] {
  return tier.flatMap(({ action, groups }) =>
    groups.map((group): ChainStep => ({ group, action: action === 'Deny' ? 'deny' : 'allow' })),
  );
}

function withAdminSteps(
  tier: TierGroups,
  rest: readonly ChainStep[],
  chainOf: (steps: readonly ChainStep[]) => string,
): readonly ChainStep[] {
  const passes = rest.length > 0 && tier.some(({ action, groups }) => action === 'Pass' && groups.length > 0);
  const behind: ChainStep | undefined = passes ? { action: 'goto', chain: chainOf(rest) } : undefined;
  const steps = tier.flatMap(({ action, groups }) =>
    groups.map((group): ChainStep => {
      if (action === 'Pass' && behind !== undefined) return { ...behind, group };
      return { group, action: action === 'Deny' ? 'deny' : 'allow' };
    }),
  );
  return [...steps, ...(behind === undefined ? rest : [behind])];
}

/** A rule of a chain: what becomes of traffic that a group covers; without a group: of all the rest. */
type ChainStep = { readonly group?: RuleGroup } & (
  | { readonly action: 'allow' | 'deny' }
  | { readonly action: 'goto'; readonly chain: string }
);

/** That NetworkPolicies deny the rest needs no word: what lets it pass has one. */
function stepsName(steps: readonly ChainStep[]): string {
  const named = steps.filter((step) => step.group !== undefined || step.action === 'goto').map(stepName);
  const last = steps.at(-1)?.group;
  const isClosed = steps.length > 0 && (last === undefined || (last.peers.kind === 'any' && last.ports.kind === 'any'));
  return [...named, ...(isClosed ? [] : ['open'])].join('\n');
}

function stepName(step: ChainStep): string {
  const { group, action } = step;
  const words = group === undefined ? [] : [peerMatchName(group.peers), portMatchName(group.ports)];
  return [...words, ...(action === 'goto' ? [step.chain] : action === 'deny' ? ['deny'] : [])].join(' ');
}

function joinPolicies(step: ChainStep, other: ChainStep | undefined): ChainStep {
  const { group } = step;
  if (group === undefined) return step;
  const policies = [...new Set([...group.policies, ...(other?.group?.policies ?? [])])].sort(compareBytes);
  return { ...step, group: { ...group, policies } };
}

function stepRules(chain: string, step: ChainStep, words: FilterWords, denial: readonly NftRule[]): readonly NftRule[] {
  const { group, action } = step;
  const about = group === undefined ? [] : conditions(group, words, chain.startsWith('in-'));
  const comment = group === undefined ? {} : { comment: clampComment(group.policies) };
  switch (action) {
    case 'allow':
      return [{ statements: [...about, verdict('return')], ...comment }];
    case 'goto':
      return [
        { statements: [...about, { kind: 'verdict', verdict: { kind: 'goto', chain: step.chain } }], ...comment },
      ];
    case 'deny':
      return denial.map(({ statements }) => ({ statements: [...about, ...statements], ...comment }));
  }
}

function conditions({ peers, ports }: RuleGroup, words: FilterWords, isIngress: boolean): readonly Statement[] {
  const statements: Statement[] = [];
  if (peers.kind !== 'any') statements.push(inSet(isIngress ? words.source : words.destination, peers.name));
  if (ports.kind === 'ports') statements.push(inSet(concat(transportProtocol, destinationPort), ports.name));
  if (ports.kind === 'named') {
    statements.push(inSet(concat(words.destination, transportProtocol, destinationPort), ports.name));
  }
  return statements;
}

function setsOf({ peers, ports }: RuleGroup, { family, addressType }: FilterWords): readonly NftSet[] {
  const sets: NftSet[] = [];
  const set = (name: string, type: readonly string[], keys: readonly (readonly string[])[], isInterval = false) =>
    sets.push({
      kind: 'set',
      name,
      type,
      flags: isInterval ? ['interval'] : [],
      elements: keys.map((key) => ({ key })),
    });
  if (peers.kind === 'pods') {
    set(
      peers.name,
      [addressType],
      peers.addresses.map((address) => [formatAddressNumber(address, family)]),
    );
  } else if (peers.kind === 'nets') {
    sets.push(intervalSet(peers.name, addressType, peers.ranges, family));
  }
  if (ports.kind === 'ports') {
    const keys = ports.ranges.map(({ protocol, first, last }) => [
      protocol.toLowerCase(),
      first === last ? String(first) : `${first}-${last}`,
    ]);
    // Only ranges need the slower interval set.
    set(
      ports.name,
      ['inet_proto', 'inet_service'],
      keys,
      ports.ranges.some(({ first, last }) => first !== last),
    );
  } else if (ports.kind === 'named') {
    const keys = ports.targets.map(({ address, protocol, port }) => [
      formatAddressNumber(address, family),
      protocol.toLowerCase(),
      String(port),
    ]);
    set(ports.name, [addressType, 'inet_proto', 'inet_service'], keys);
  }
  return sets;
}
