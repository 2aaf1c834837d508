import { ascending } from '../../../common/ascending.ts';
import { compareBytes } from '../../../common/compareBytes.ts';
import type { Family } from '../../../common/family.ts';
import type { Direction, NetPolicy } from '../../../model/netPolicy.ts';
import type { PolicyPod } from '../../../model/policyModel.ts';
import type { NftChain, NftElement, NftRule, NftSet, Statement } from '../../../netfilter/nft/ast.ts';
import { addressNumber, formatAddressNumber } from '../../../policy/addressRanges.ts';
import { contentName } from '../../../policy/contentName.ts';
import type { NodePolicies } from '../../../policy/nodePolicies.ts';
import { ruleResolver } from '../../../policy/resolveRule.ts';
import { peerMatchName, portMatchName, type RuleGroup, ruleGroups } from '../../../policy/ruleGroups.ts';
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
 * One chain for every distinct set of rules: pods with the same policies share it. Names say contents, so what does not
 * change keeps its name. Traffic that a rule allows returns, so that the other side is asked as well; the rest meets
 * `denial` at the chain's end.
 */
export function policyChains(node: NodePolicies, family: Family, denial: readonly NftRule[]): PolicyChains {
  const words = filterWords(family);
  const resolve = ruleResolver(node.model, node.selection, family);
  const sets = new Map<string, NftSet>();
  const chains = new Map<string, readonly RuleGroup[]>();
  const verdicts: Record<Direction, readonly NftElement[]> = { ingress: [], egress: [] };

  for (const direction of ['egress', 'ingress'] as const) {
    const elements: { readonly address: bigint; readonly element: NftElement }[] = [];
    for (const { policies, addresses } of classesOf(node, family, direction)) {
      const subjects = [...new Set([...addresses.values()].flat())];
      const rules = policies.flatMap((policy) =>
        (policy[direction] ?? []).map((rule) => ({
          policy: policy.id,
          rule: resolve(policy, direction, rule, subjects),
        })),
      );
      const groups = ruleGroups(rules, direction);
      const content = groups.map(({ peers, ports }) => `${peerMatchName(peers)} ${portMatchName(ports)}`).join('\n');
      const chain = contentName(direction === 'ingress' ? 'in' : 'eg', content);
      const known = chains.get(chain);
      // Other policies may say the same: the comments name all of them.
      chains.set(chain, known === undefined ? groups : known.map((group, at) => joinPolicies(group, groups[at])));
      for (const group of groups) for (const set of setsOf(group, words)) sets.set(set.name, set);
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
      .map(([name, groups]) => ({ name, rules: chainRules(name, groups, words, denial) })),
    sets: [...sets.values()].sort((a, b) => compareBytes(a.name, b.name)),
    verdicts,
  };
}

interface PodClass {
  readonly policies: readonly NetPolicy[];
  readonly addresses: ReadonlyMap<string, readonly PolicyPod[]>;
}

/** Isolated local addresses, together where the same policies select them. */
function classesOf(node: NodePolicies, family: Family, direction: Direction): readonly PodClass[] {
  const classes = new Map<string, { policies: readonly NetPolicy[]; addresses: Map<string, readonly PolicyPod[]> }>();
  for (const [ip, pods] of node.localAddresses(family)) {
    const policies = [...new Set(pods.flatMap((pod) => node.policiesOf(pod, direction)))];
    if (policies.length === 0) continue;
    const key = policies
      .map(({ id }) => id)
      .sort()
      .join();
    const known = classes.get(key);
    if (known) known.addresses.set(ip, pods);
    else classes.set(key, { policies, addresses: new Map([[ip, pods]]) });
  }
  return [...classes.values()];
}

function joinPolicies(group: RuleGroup, other: RuleGroup | undefined): RuleGroup {
  return { ...group, policies: [...new Set([...group.policies, ...(other?.policies ?? [])])].sort(compareBytes) };
}

function chainRules(
  chain: string,
  groups: readonly RuleGroup[],
  words: FilterWords,
  denial: readonly NftRule[],
): readonly NftRule[] {
  const isIngress = chain.startsWith('in-');
  const allowed = groups.map((group) => ({
    statements: [...conditions(group, words, isIngress), verdict('return')],
    comment: clampComment(group.policies),
  }));
  const allowsAll = groups.some(({ peers, ports }) => peers.kind === 'any' && ports.kind === 'any');
  return allowsAll ? allowed : [...allowed, ...denial];
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
