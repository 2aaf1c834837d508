import type { Family } from '../common/addresses/family.ts';
import { addTo } from '../common/addTo.ts';
import { addressOfFamily } from '../model/addressOfFamily.ts';
import type { ClusterPolicy } from '../model/clusterPolicy.ts';
import type { Direction, NetPolicy } from '../model/netPolicy.ts';
import type { OtherPolicy, PolicyModel, PolicyNode, PolicyPod } from '../model/policyModel.ts';
import { clusterJudge } from './cluster/clusterJudge.ts';
import { askTier } from './cluster/clusterTiers.ts';
import { possible, settle } from './missing/possibleVerdicts.ts';
import { netPolicyJudge } from './netPolicyJudge.ts';
import type { Party } from './parties/party.ts';
import { podSelection } from './parties/podSelection.ts';
import type { PolicyFlow, Side } from './policyFlow.ts';
import type { SideVerdict } from './sideVerdict.ts';

export interface PolicyVerdict {
  /** Surely. */
  readonly isAllowed: boolean;
  /** Facts are missing, or policies that are not read decide too. */
  readonly isUnknown: boolean;
  /** What Kubernetes' own policies alone say. */
  readonly byRules: 'allowed' | 'denied' | 'unknown';
  readonly egress: SideVerdict;
  readonly ingress: SideVerdict;
  /** Policies of other kinds that may be about the sender or the receiver. */
  readonly others: readonly OtherPolicy[];
}

export interface VerdictOptions {
  /** A pod that reaches itself through a Service: always allowed (default), or judged like any other. */
  readonly hairpin?: 'allow' | 'policy';
  /** Echo requests and other ICMP: judged by rules without ports (default), or always allowed. */
  readonly icmp?: 'policy' | 'allow';
}

export interface Judge {
  readonly judge: (flow: PolicyFlow) => PolicyVerdict;
  /** The policies that isolate a party in a direction or are about it, and those that may be: nobody knows its labels. */
  readonly policiesOf: (party: Party, direction: Direction) => readonly (NetPolicy | ClusterPolicy)[];
  /** The party behind an address. */
  readonly partyAt: (ip: string) => Party;
  /** Undefined: no address of that family. A host-network pod is its node. */
  readonly partyOfPod: (pod: PolicyPod, family: Family) => Party | undefined;
  readonly partyOfNode: (node: PolicyNode, family: Family) => Party | undefined;
  readonly partyOfNodeNamed: (name: string | undefined, family: Family) => Party | undefined;
}

/** Says of flows whether the policies let them pass. Connections that exist already are not its subject. */
export function createJudge(model: PolicyModel, options: VerdictOptions = {}): Judge {
  const selection = podSelection(model);
  const cluster = clusterJudge(model, selection);
  const askNetPolicies = netPolicyJudge(model, selection);

  const judgeSide = (direction: Direction, subject: Party, other: Party, flow: PolicyFlow): SideVerdict => {
    if (subject.pods.length === 0) return { kind: 'allowed', why: 'notAPod' };
    if (subject.ip === other.ip && !(flow.isViaService && options.hairpin === 'policy'))
      return { kind: 'allowed', why: 'self' };
    if (direction === 'ingress' && isResidentNode(other, subject)) return { kind: 'allowed', why: 'residentNode' };
    const netPolicies = askNetPolicies.policiesOf(subject, direction);
    const wide = cluster.policiesOf(subject);
    if (netPolicies.sure.length + netPolicies.maybe.length + wide.length === 0)
      return { kind: 'allowed', why: 'notIsolated' };
    if (flow.protocol === 'ICMP' && options.icmp === 'allow') return { kind: 'allowed', why: 'icmp' };
    const side: Side = { direction, subject, other, flow };
    if (wide.length === 0) return settle(askNetPolicies.ask(side, netPolicies, () => possible(notIsolated)));
    const view = cluster.viewOf(side);
    const tier = (name: ClusterPolicy['tier']) => wide.filter((policy) => policy.tier === name);
    const baseline = once(() => askTier(tier('Baseline'), view, () => possible(unmatched)));
    const middle = once(() => askNetPolicies.ask(side, netPolicies, baseline));
    return settle(askTier(tier('Admin'), view, middle));
  };

  return {
    policiesOf: (party, direction) => {
      const { sure, maybe } = askNetPolicies.policiesOf(party, direction);
      return [...sure, ...maybe, ...cluster.policiesOf(party)];
    },
    ...parties(model),
    judge: (flow) => {
      const egress = judgeSide('egress', flow.from, flow.to, flow);
      const ingress = judgeSide('ingress', flow.to, flow.from, flow);
      return verdictOf(egress, ingress, othersOf(model, [flow.from, flow.to]));
    },
  };
}

const notIsolated: SideVerdict = { kind: 'allowed', why: 'notIsolated' };
const unmatched: SideVerdict = { kind: 'allowed', why: 'unmatched' };

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Both sides together, beside what other kinds of policies may say. */
export function verdictOf(egress: SideVerdict, ingress: SideVerdict, others: readonly OtherPolicy[]): PolicyVerdict {
  const sides = [egress.kind, ingress.kind];
  const byRules = sides.includes('denied') ? 'denied' : sides.includes('unknown') ? 'unknown' : 'allowed';
  const isUnknown = byRules === 'unknown' || others.length > 0;
  return { isAllowed: byRules === 'allowed' && !isUnknown, isUnknown, byRules, egress, ingress, others };
}

/** Those of the cluster, and of the parties' namespaces. */
function othersOf({ otherPolicies }: PolicyModel, asked: readonly Party[]): readonly OtherPolicy[] {
  if (otherPolicies.length === 0) return otherPolicies;
  return otherPolicies.filter(
    ({ namespace }) =>
      namespace === undefined || asked.some(({ pods }) => pods.some((pod) => pod.namespace === namespace)),
  );
}

/** Finds who is behind an address, a pod or a node. */
function parties(model: PolicyModel): Pick<Judge, 'partyAt' | 'partyOfPod' | 'partyOfNode' | 'partyOfNodeNamed'> {
  const podsAt = new Map<string, PolicyPod[]>();
  const nodeAt = new Map<string, PolicyNode>();
  const nodeNamed = new Map(model.nodes.map((node) => [node.name, node]));
  for (const node of model.nodes) for (const ip of node.ips) nodeAt.set(ip, node);
  for (const pod of model.pods) {
    if (pod.isHostNetwork) continue;
    for (const ip of pod.ips) addTo(podsAt, ip, pod);
  }

  const partyAt = (ip: string): Party => {
    const pods = podsAt.get(ip) ?? [];
    return { ip, pods, node: pods.length > 0 ? undefined : nodeAt.get(ip) };
  };
  const partyOfNode = (node: PolicyNode, family: Family): Party | undefined => {
    const ip = addressOfFamily(node, family);
    return ip === undefined ? undefined : { ip, pods: [], node };
  };
  return {
    partyAt,
    partyOfNode,
    partyOfNodeNamed: (name, family) => {
      const node = name === undefined ? undefined : nodeNamed.get(name);
      return node && partyOfNode(node, family);
    },
    partyOfPod: (pod, family) => {
      const node = pod.isHostNetwork && pod.node !== undefined ? nodeNamed.get(pod.node) : undefined;
      const ip = addressOfFamily(pod, family) ?? (node && addressOfFamily(node, family));
      if (ip === undefined) return undefined;
      return pod.isHostNetwork ? { ip, pods: [], node: node ?? nodeAt.get(ip) } : partyAt(ip);
    },
  };
}

/** A node reaches the pods that run on it, whatever policies say: kubelet's probes depend on it. */
function isResidentNode(party: Party, subject: Party): boolean {
  return party.node !== undefined && subject.pods.some((pod) => pod.node === party.node?.name);
}
