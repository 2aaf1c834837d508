import { addTo } from '../common/addTo.ts';
import { cidrContains } from '../common/cidr.ts';
import type { Family } from '../common/family.ts';
import type { Protocol } from '../common/protocol.ts';
import { allOf, type Ternary } from '../common/ternary.ts';
import { addressOfFamily } from '../model/addressOfFamily.ts';
import type { Direction, NetPolicy, NetPolicyPeer, NetPolicyPort } from '../model/netPolicy.ts';
import type { OtherPolicy, PolicyModel, PolicyNode, PolicyPod } from '../model/policyModel.ts';
import type { MissingFact } from './missingFact.ts';
import { missingFacts } from './missingFacts.ts';
import { type PodSelection, podSelection } from './podSelection.ts';
import { policiesOfPods } from './policiesOfPods.ts';

/** Who sends or receives, as the filter sees it: an address, and who has it. */
export interface Party {
  readonly ip: string;
  /** Mostly one; two live pods with one address are judged together. */
  readonly pods: readonly PolicyPod[];
  /** The node whose own address it is (host processes and host-network pods). */
  readonly node: PolicyNode | undefined;
}

/** The first packet of a connection, behind the translation of Services: the port is the receiver's own. */
export interface PolicyFlow {
  readonly from: Party;
  readonly to: Party;
  /** `other`: no policy can name it, only rules without ports cover it. */
  readonly protocol: Protocol | 'ICMP' | 'other';
  /** 0 where the protocol has no ports. */
  readonly port: number;
  /** The sender dialled a Service. */
  readonly isViaService?: boolean;
}

export interface PolicyVerdict {
  /** Surely. */
  readonly isAllowed: boolean;
  /** Facts are missing, or policies that are not read decide too. */
  readonly isUnknown: boolean;
  /** What NetworkPolicies alone say. */
  readonly byRules: 'allowed' | 'denied' | 'unknown';
  readonly egress: SideVerdict;
  readonly ingress: SideVerdict;
  /** Policies of other kinds that may be about the sender or the receiver. */
  readonly others: readonly OtherPolicy[];
}

/** What one side says, and what decided it. */
export type SideVerdict =
  /** `anyway`: facts are missing, and none of them could change it. */
  | { readonly kind: 'allowed'; readonly why: 'notAPod' | 'self' | 'residentNode' | 'icmp' | 'notIsolated' | 'anyway' }
  /** Indices into the lists of the manifest; undefined: the rule has no such list and means everything. */
  | {
      readonly kind: 'allowed';
      readonly why: 'rule';
      readonly policy: NetPolicy;
      readonly rule: number;
      readonly peer: number | undefined;
      readonly port: number | undefined;
    }
  | { readonly kind: 'denied'; readonly policies: readonly NetPolicy[]; readonly nearMisses: readonly NearMiss[] }
  /** `policies`: those that isolate the pod, or may. */
  | { readonly kind: 'unknown'; readonly policies: readonly NetPolicy[]; readonly facts: readonly MissingFact[] };
/** A side was not asked: the other one denied already, or sender and receiver have no address of one family. */

/** A rule that half matches: what a user who expected it to allow wants to see. */
export interface NearMiss {
  readonly policy: NetPolicy;
  readonly rule: number;
  readonly misses: 'peer' | 'port';
}

export interface VerdictOptions {
  /** A pod that reaches itself through a Service: always allowed (default), or judged like any other. */
  readonly hairpin?: 'allow' | 'policy';
  /** Echo requests and other ICMP: judged by rules without ports (default), or always allowed. */
  readonly icmp?: 'policy' | 'allow';
}

export interface Judge {
  readonly judge: (flow: PolicyFlow) => PolicyVerdict;
  /** The policies that isolate a party in a direction, and those that may: nobody knows its labels. */
  readonly policiesOf: (party: Party, direction: Direction) => readonly NetPolicy[];
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
  const sureOf = policiesOfParties(policiesOfPods(model, selection.selectedBy));
  const maybeOf = policiesOfParties(policiesOfPods(model, selection.maybeSelectedBy));
  const isPeer = peerTest(selection);
  const factsOf = missingFacts(model, selection);

  const judgeSide = (direction: Direction, subject: Party, other: Party, flow: PolicyFlow): SideVerdict => {
    if (subject.pods.length === 0) return { kind: 'allowed', why: 'notAPod' };
    if (subject.ip === other.ip && !(flow.isViaService && options.hairpin === 'policy'))
      return { kind: 'allowed', why: 'self' };
    if (direction === 'ingress' && isResidentNode(other, subject)) return { kind: 'allowed', why: 'residentNode' };
    const sure = sureOf(subject, direction);
    const maybe = maybeOf(subject, direction).filter((policy) => !sure.includes(policy));
    if (sure.length === 0 && maybe.length === 0) return { kind: 'allowed', why: 'notIsolated' };
    if (flow.protocol === 'ICMP' && options.icmp === 'allow') return { kind: 'allowed', why: 'icmp' };
    const judged = judgeByRules(sure, direction, flow, (policy, peer) => isPeer(policy, peer, other));
    if (judged.kind === 'allowed') return judged;
    // What may be: a policy that may select the pod isolates it, and allows what its rules say.
    const doubtful = maybe.map((policy) =>
      judgeByRules([policy], direction, flow, (each, peer) => isPeer(each, peer, other)),
    );
    const isAllowed = sure.length === 0 && doubtful.every(({ kind }) => kind === 'allowed');
    if (isAllowed) return { kind: 'allowed', why: 'anyway' };
    const isDenied = judged.kind === 'denied' && sure.length > 0 && doubtful.every(({ kind }) => kind === 'denied');
    if (isDenied) return judged;
    const policies = [...sure, ...maybe];
    return { kind: 'unknown', policies, facts: factsOf({ direction, subject, other, receiver: flow.to, sure, maybe }) };
  };

  return {
    policiesOf: (party, direction) => [...new Set([...sureOf(party, direction), ...maybeOf(party, direction)])],
    ...parties(model),
    judge: (flow) => {
      const egress = judgeSide('egress', flow.from, flow.to, flow);
      const ingress = judgeSide('ingress', flow.to, flow.from, flow);
      return verdictOf(egress, ingress, othersOf(model, [flow.from, flow.to]));
    },
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

function policiesOfParties(
  policiesOf: (pod: PolicyPod, direction: Direction) => readonly NetPolicy[],
): Judge['policiesOf'] {
  return ({ pods }, direction) => {
    const [only, ...more] = pods;
    if (only !== undefined && more.length === 0) return policiesOf(only, direction);
    return [...new Set(pods.flatMap((pod) => policiesOf(pod, direction)))];
  };
}

/** Whether a party is among those whom an entry of `from` or `to` names. */
function peerTest(selection: PodSelection): (policy: NetPolicy, peer: NetPolicyPeer, party: Party) => Ternary {
  const setOf = remembered((pods: readonly PolicyPod[]) => new Set(pods));
  return (policy, peer, party) => {
    switch (peer.kind) {
      case 'pods': {
        if (party.pods.length === 0) return 'no';
        const sure = setOf(selection.peers(policy, peer));
        if (party.pods.some((pod) => sure.has(pod))) return 'yes';
        const maybe = setOf(selection.maybePeers(policy, peer));
        return party.pods.some((pod) => maybe.has(pod)) ? 'maybe' : 'no';
      }
      case 'ipBlock': {
        const isIn = cidrContains(peer.cidr, party.ip) && !peer.except.some((cidr) => cidrContains(cidr, party.ip));
        return isIn ? 'yes' : 'no';
      }
      case 'nobody':
        return 'no';
    }
  };
}

function remembered<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new Map<K, V>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}

type JudgedRules = Extract<SideVerdict, { why: 'rule' } | { kind: 'denied' }> | { readonly kind: 'maybe' };

/** The first rule that covers the flow allows it; one that may cover it leaves it open. */
function judgeByRules(
  policies: readonly NetPolicy[],
  direction: Direction,
  flow: PolicyFlow,
  isPeer: (policy: NetPolicy, peer: NetPolicyPeer) => Ternary,
): JudgedRules {
  const nearMisses: NearMiss[] = [];
  let mayAllow = false;
  for (const policy of policies) {
    for (const [rule, { peers, ports }] of (policy[direction] ?? []).entries()) {
      const whom = findBest(peers?.all, (peer) => isPeer(policy, peer));
      const where = findBest(ports, (each) => isPort(each, flow));
      const covers = allOf([whom.answer, where.answer]);
      if (covers === 'yes') return { kind: 'allowed', why: 'rule', policy, rule, peer: whom.at, port: where.at };
      if (covers === 'maybe') mayAllow = true;
      else if (whom.answer !== where.answer)
        nearMisses.push({ policy, rule, misses: whom.answer === 'no' ? 'peer' : 'port' });
    }
  }
  return mayAllow ? { kind: 'maybe' } : { kind: 'denied', policies, nearMisses };
}

/** No list means everything. */
function findBest<T>(
  list: readonly T[] | undefined,
  test: (each: T) => Ternary,
): { readonly answer: Ternary; readonly at: number | undefined } {
  if (list === undefined) return { answer: 'yes', at: undefined };
  let answer: Ternary = 'no';
  for (const [at, each] of list.entries()) {
    const one = test(each);
    if (one === 'yes') return { answer: one, at };
    if (one === 'maybe') answer = one;
  }
  return { answer, at: undefined };
}

/** A node reaches the pods that run on it, whatever policies say: kubelet's probes depend on it. */
function isResidentNode(party: Party, subject: Party): boolean {
  return party.node !== undefined && subject.pods.some((pod) => pod.node === party.node?.name);
}

/** A name is looked up at the receiver; one that it does not define is no port. */
function isPort(port: NetPolicyPort, { protocol, port: number, to }: PolicyFlow): Ternary {
  if (port.protocol !== protocol) return 'no';
  if (port.kind === 'range') return port.first <= number && number <= port.last ? 'yes' : 'no';
  const isDefined = to.pods.some(({ namedPorts }) =>
    namedPorts.some((each) => each.name === port.name && each.protocol === protocol && each.port === number),
  );
  if (isDefined) return 'yes';
  return to.pods.some(({ hasKnownPorts }) => !hasKnownPorts) ? 'maybe' : 'no';
}
