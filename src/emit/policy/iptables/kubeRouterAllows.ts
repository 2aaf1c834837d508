import { addressNumber } from '../../../common/addresses/addressNumber.ts';
import type { Family } from '../../../common/addresses/family.ts';
import type { Direction, NetPolicy, NetPolicyRule } from '../../../model/netPolicy.ts';
import type { PolicyPod } from '../../../model/policyModel.ts';
import { canonicalMembers } from '../../../netfilter/ipset/canonicalMember.ts';
import type { NodePolicies } from '../../../policy/nodePolicies.ts';
import type { NamedTarget } from '../../../policy/rules/resolveRule.ts';
import type { NetpolNames } from './netpolNames.ts';
import { type AddressSet, type Allow, type AllowsOf, namedSets, podMembers, portSpan } from './policyAllows.ts';

/** The rules that kube-router 2.11 writes, with its faults: this layout is for comparing with its nodes. */
export function kubeRouterAllows(node: NodePolicies, family: Family, names: NetpolNames): AllowsOf {
  return (policy) => {
    const sets: AddressSet[] = [];
    const allows = { ingress: [] as Allow[], egress: [] as Allow[] };
    const selected = node.selection.selectedBy(policy);
    const add: AddSet = (name, type, members) => {
      const last = lastOfEach(type, members);
      sets.push({ name, type, size: last.length, members: last });
      return name;
    };
    for (const direction of ['ingress', 'egress'] as const) {
      if (policy[direction] === undefined) continue;
      const own = add(names.selected(policy, direction), 'hash:ip', plain(podMembers(selected, family)));
      const context: RuleContext = { node, family, names, policy, direction, selected, own, add };
      for (const [index, rule] of policy[direction].entries()) {
        for (const allow of ruleAllows(rule, index, context)) allows[direction].push(allow);
      }
    }
    return { sets, allows };
  };
}

/** Notes a set and gives its name back. */
type AddSet = (name: string, type: AddressSet['type'], members: AddressSet['members']) => string;

/** What the rules of one direction of a policy share. */
interface RuleContext {
  readonly node: NodePolicies;
  readonly family: Family;
  readonly names: NetpolNames;
  readonly policy: NetPolicy;
  readonly direction: Direction;
  readonly selected: readonly PolicyPod[];
  /** The set of the pods that the policy selects. */
  readonly own: string;
  readonly add: AddSet;
}

/** The allows of one rule: to or from pods, anybody, and blocks. */
function ruleAllows(rule: NetPolicyRule, index: number, context: RuleContext): readonly Allow[] {
  const { node, family, names, policy, direction, add } = context;
  const peers = peerPods(node, policy, rule);
  const blocks = blockMembers(rule, family);
  const ports = numberedPorts(rule);
  const named = namedPorts(rule, index, peers, context);
  // Its fault: names that resolve to nothing leave no port, and no port means all.
  const hasNoPort = ports.length === 0 && named.length === 0;
  const allows: Allow[] = [];
  const push = (kind: PeerKind, peer: string | undefined, hasNamed: boolean, isAnyPort: boolean) => {
    const build = (tag: string, part: Partial<Allow>) => allows.push(allowOf(tag, peer, part, context));
    for (const port of ports) build(kind, port);
    for (const { set, ...port } of hasNamed ? named : []) {
      build(`${kind} np`, direction === 'ingress' || kind === 'pods' ? { ...port, destination: set } : port);
    }
    if (isAnyPort) build(kind, {});
  };
  if (peers.length > 0) {
    const set = add(names.peers(policy, direction, index, 'pod'), 'hash:ip', plain(podMembers(peers, family)));
    push('pods', set, true, hasNoPort);
  }
  if (rule.peers === undefined) push('any', undefined, true, rule.ports === undefined);
  if (blocks.length > 0) {
    const set = add(names.peers(policy, direction, index, 'ipblock'), 'hash:net', blocks);
    const isIngress = direction === 'ingress';
    push('cidr', set, isIngress, isIngress ? hasNoPort : rule.ports === undefined);
  }
  return allows;
}

type PeerKind = 'pods' | 'any' | 'cidr';

function allowOf(kind: string, peer: string | undefined, part: Partial<Allow>, context: RuleContext): Allow {
  const { direction, own } = context;
  const sides = direction === 'ingress' ? { source: peer, destination: own } : { source: own, destination: peer };
  return { tag: `${direction} ${kind}`, ...sides, protocol: undefined, ports: undefined, ...part };
}

type Port = Pick<Allow, 'protocol' | 'ports'>;

function numberedPorts({ ports = [] }: NetPolicyRule): readonly Port[] {
  return ports
    .filter((port) => port.kind === 'range')
    .map((port) => ({ protocol: port.protocol, ports: portSpan(port) }));
}

/** Each port that a name stands for, and the set of those where it does. */
function namedPorts(
  rule: NetPolicyRule,
  index: number,
  peers: readonly PolicyPod[],
  { node, family, names, policy, direction, selected, add }: RuleContext,
): readonly (Port & { readonly set: string })[] {
  // Without peers, names are looked up among the pods of the policy's namespace only.
  const receivers = direction === 'ingress' ? selected : rule.peers === undefined ? neighbours(node, policy) : peers;
  return namedSets(namedTargets(rule, receivers, family), family).map(({ members, protocol, port }, at) => ({
    protocol,
    ports: `${port}`,
    set: add(names.namedPort(policy, direction, index, at), 'hash:ip', plain(members)),
  }));
}

/** kube-router adds with `-exist`: of two equal members the later one says whether it is an exception. */
function lastOfEach(type: AddressSet['type'], members: AddressSet['members']): AddressSet['members'] {
  const byValue = new Map<string, AddressSet['members'][number]>();
  for (const each of members) byValue.set(canonicalMembers(type, each.member).join(), each);
  return [...byValue.values()];
}

function plain(members: readonly string[]): AddressSet['members'] {
  return members.map((member) => ({ member }));
}

function peerPods({ selection }: NodePolicies, policy: NetPolicy, rule: NetPolicyRule): readonly PolicyPod[] {
  const found = (rule.peers?.pods ?? []).flatMap((peer) => selection.peers(policy, peer));
  return [...new Set(found)];
}

function neighbours({ model }: NodePolicies, { namespace }: NetPolicy): readonly PolicyPod[] {
  return model.pods.filter((pod) => pod.namespace === namespace && !pod.isHostNetwork && pod.ips.length > 0);
}

function namedTargets(rule: NetPolicyRule, receivers: readonly PolicyPod[], family: Family): readonly NamedTarget[] {
  const names = (rule.ports ?? []).filter((port) => port.kind === 'named');
  if (names.length === 0) return [];
  return receivers.flatMap((pod) =>
    pod.ips.flatMap((ip) => {
      const address = addressNumber(ip, family);
      const ports = pod.namedPorts.filter(({ name, protocol }) =>
        names.some((each) => each.name === name && each.protocol === protocol),
      );
      return address === undefined ? [] : ports.map(({ protocol, port }) => ({ address, protocol, port }));
    }),
  );
}

/** All blocks of a rule share one set, in which an exception of one also hits the others. */
function blockMembers(rule: NetPolicyRule, family: Family): AddressSet['members'] {
  return (rule.peers?.all ?? []).flatMap((peer) => {
    if (peer.kind !== 'ipBlock' || peer.cidr.family !== family) return [];
    return [
      ...halves(peer.cidr.text, family).map((member) => ({ member })),
      ...peer.except.flatMap(({ text }) => halves(text, family).map((member) => ({ member, isException: true }))),
    ];
  });
}

/** For IPv6, kube-router takes "everything" for global and unique local addresses. */
function halves(cidr: string, family: Family): readonly string[] {
  if (!cidr.endsWith('/0')) return [cidr];
  return family === 'ipv4' ? ['0.0.0.0/1', '128.0.0.0/1'] : ['2000::/3', 'fd00::/8'];
}
