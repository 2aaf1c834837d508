import { addTo } from '../common/addTo.ts';
import { cidrContains } from '../common/cidr.ts';
import type { Family } from '../common/family.ts';
import type { Protocol } from '../common/protocol.ts';
import { addressOfFamily } from '../model/addressOfFamily.ts';
import type { Direction, NetPolicy, NetPolicyPeer, NetPolicyPort } from '../model/netPolicy.ts';
import type { PolicyModel, PolicyNode, PolicyPod } from '../model/policyModel.ts';
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
  readonly isAllowed: boolean;
  readonly egress: SideVerdict;
  readonly ingress: SideVerdict;
}

/** What one side says, and what decided it. */
export type SideVerdict =
  | { readonly kind: 'allowed'; readonly why: 'notAPod' | 'self' | 'residentNode' | 'icmp' | 'notIsolated' }
  /** Indices into the lists of the manifest; undefined: the rule has no such list and means everything. */
  | {
      readonly kind: 'allowed';
      readonly why: 'rule';
      readonly policy: NetPolicy;
      readonly rule: number;
      readonly peer: number | undefined;
      readonly port: number | undefined;
    }
  | { readonly kind: 'denied'; readonly policies: readonly NetPolicy[]; readonly nearMisses: readonly NearMiss[] };
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
  /** The policies that isolate a party in a direction. */
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
  const policiesOf = policiesOfParties(policiesOfPods(model, selection));
  const isPeer = peerTest(selection);

  const judgeSide = (direction: Direction, subject: Party, other: Party, flow: PolicyFlow): SideVerdict => {
    if (subject.pods.length === 0) return { kind: 'allowed', why: 'notAPod' };
    if (subject.ip === other.ip && !(flow.isViaService && options.hairpin === 'policy'))
      return { kind: 'allowed', why: 'self' };
    if (direction === 'ingress' && isResidentNode(other, subject)) return { kind: 'allowed', why: 'residentNode' };
    const policies = policiesOf(subject, direction);
    if (policies.length === 0) return { kind: 'allowed', why: 'notIsolated' };
    if (flow.protocol === 'ICMP' && options.icmp === 'allow') return { kind: 'allowed', why: 'icmp' };
    return judgeByRules(policies, direction, flow, (policy, peer) => isPeer(policy, peer, other));
  };

  return {
    policiesOf,
    ...parties(model),
    judge: (flow) => {
      const egress = judgeSide('egress', flow.from, flow.to, flow);
      const ingress = judgeSide('ingress', flow.to, flow.from, flow);
      return { isAllowed: egress.kind === 'allowed' && ingress.kind === 'allowed', egress, ingress };
    },
  };
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
function peerTest(selection: PodSelection): (policy: NetPolicy, peer: NetPolicyPeer, party: Party) => boolean {
  const peerSets = new Map<readonly PolicyPod[], ReadonlySet<PolicyPod>>();
  const peerSet = (pods: readonly PolicyPod[]): ReadonlySet<PolicyPod> => {
    const set = peerSets.get(pods) ?? new Set(pods);
    peerSets.set(pods, set);
    return set;
  };
  return (policy, peer, party) => {
    switch (peer.kind) {
      case 'pods': {
        if (party.pods.length === 0) return false;
        const set = peerSet(selection.peers(policy, peer));
        return party.pods.some((pod) => set.has(pod));
      }
      case 'ipBlock':
        return cidrContains(peer.cidr, party.ip) && !peer.except.some((cidr) => cidrContains(cidr, party.ip));
      case 'nobody':
        return false;
    }
  };
}

/** The first rule that covers the flow allows it. */
function judgeByRules(
  policies: readonly NetPolicy[],
  direction: Direction,
  flow: PolicyFlow,
  isPeer: (policy: NetPolicy, peer: NetPolicyPeer) => boolean,
): SideVerdict {
  const nearMisses: NearMiss[] = [];
  for (const policy of policies) {
    for (const [rule, { peers, ports }] of (policy[direction] ?? []).entries()) {
      const peer = peers?.all.findIndex((each) => isPeer(policy, each));
      const port = ports?.findIndex((each) => isPort(each, flow));
      if (peer !== -1 && port !== -1) return { kind: 'allowed', why: 'rule', policy, rule, peer, port };
      if (peer !== -1 || port !== -1) nearMisses.push({ policy, rule, misses: peer === -1 ? 'peer' : 'port' });
    }
  }
  return { kind: 'denied', policies, nearMisses };
}

/** A node reaches the pods that run on it, whatever policies say: kubelet's probes depend on it. */
function isResidentNode(party: Party, subject: Party): boolean {
  return party.node !== undefined && subject.pods.some((pod) => pod.node === party.node?.name);
}

/** A name is looked up at the receiver; one that it does not define is no port. */
function isPort(port: NetPolicyPort, { protocol, port: number, to }: PolicyFlow): boolean {
  if (port.protocol !== protocol) return false;
  if (port.kind === 'range') return port.first <= number && number <= port.last;
  return to.pods.some(({ namedPorts }) =>
    namedPorts.some((each) => each.name === port.name && each.protocol === protocol && each.port === number),
  );
}
