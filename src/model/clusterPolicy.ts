import { type Cidr, parseCidr } from '../common/addresses/cidr.ts';
import type { Protocol } from '../common/addresses/protocol.ts';
import { compareBytes } from '../common/compareBytes.ts';
import type { Origin } from '../diagnostics/diagnostic.ts';
import type {
  AdminPortObject,
  AdminRuleObject,
  ClusterPeerObject,
  ClusterPolicyObject,
  ClusterProtocolObject,
  ClusterRuleObject,
  ClusterSubjectObject,
} from '../validate/kinds/clusterPolicyObjects.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import { type LabelSelector, readLabelSelector } from './labelSelector.ts';
import type { NetPolicyPort, PodPeer } from './netPolicy.ts';

/** A cluster-wide policy of either version: its rules are tried in order, and the first that matches decides. */
export interface ClusterPolicy {
  readonly kind: 'clusterPolicy';
  readonly apiKind: ClusterPolicyObject['kind'];
  readonly name: string;
  /** `AdminNetworkPolicy deny-all`: it has no namespace. */
  readonly id: string;
  readonly tier: ClusterTier;
  /** The lower, the earlier; undefined: a BaselineAdminNetworkPolicy, which has no place among others of its tier. */
  readonly priority: number | undefined;
  readonly subject: ClusterPods;
  /** Empty: the policy says nothing of that direction. */
  readonly ingress: readonly ClusterRule[];
  readonly egress: readonly ClusterRule[];
  readonly origin: Origin;
}

/** Admin is asked before NetworkPolicies, Baseline where none of them selects the pod. */
export type ClusterTier = 'Admin' | 'Baseline';

/** Pods of any namespace: never the policy's own, for it has none. */
export type ClusterPods = PodPeer & { readonly namespaces: LabelSelector };

export interface ClusterRule {
  /** Empty: it has none. */
  readonly name: string;
  /** `Pass` goes on in the next tier. */
  readonly action: 'Accept' | 'Deny' | 'Pass';
  readonly peers: readonly ClusterPeer[];
  /** Undefined: every port of every protocol, ICMP too. */
  readonly ports: readonly NetPolicyPort[] | undefined;
}

export type ClusterPeer =
  | ClusterPods
  | { readonly kind: 'networks'; readonly cidrs: readonly Cidr[]; readonly texts: readonly string[] }
  /** The addresses of nodes. */
  | { readonly kind: 'nodes'; readonly nodes: LabelSelector }
  /** Which addresses they have nobody here knows. */
  | { readonly kind: 'domains'; readonly names: readonly string[] };

export function readClusterPolicy({ value, origin }: Manifest<ClusterPolicyObject>): ClusterPolicy {
  const { kind, metadata, spec } = value;
  return {
    kind: 'clusterPolicy',
    apiKind: kind,
    name: metadata.name,
    id: `${kind} ${metadata.name}`,
    tier: kind === 'ClusterNetworkPolicy' ? value.spec.tier : kind === 'AdminNetworkPolicy' ? 'Admin' : 'Baseline',
    priority: kind === 'BaselineAdminNetworkPolicy' ? undefined : value.spec.priority,
    subject: readPods(spec.subject),
    ingress: (spec.ingress ?? []).map((rule) => readRule(rule, rule.from)),
    egress: (spec.egress ?? []).map((rule) => readRule(rule, rule.to)),
    origin,
  };
}

/** In the order in which they are tried; equal ones by name, which decides nothing. */
export function compareClusterPolicies(a: ClusterPolicy, b: ClusterPolicy): number {
  return (
    compareBytes(a.tier, b.tier) ||
    (a.priority ?? Number.MAX_SAFE_INTEGER) - (b.priority ?? Number.MAX_SAFE_INTEGER) ||
    compareBytes(a.id, b.id)
  );
}

type RuleObject = Pick<AdminRuleObject | ClusterRuleObject, 'name' | 'action'> & {
  readonly ports?: AdminRuleObject['ports'] | undefined;
  readonly protocols?: ClusterRuleObject['protocols'] | undefined;
};

function readRule({ name, action, ports, protocols }: RuleObject, peers: readonly ClusterPeerObject[]): ClusterRule {
  return {
    name: name ?? '',
    action: action === 'Allow' ? 'Accept' : action,
    peers: peers.map(readPeer),
    ports: ports?.flatMap(readAdminPort) ?? protocols?.map(readProtocol),
  };
}

function readPeer(peer: ClusterPeerObject): ClusterPeer {
  const { networks, nodes, domainNames } = peer;
  if (networks !== undefined) {
    return { kind: 'networks', cidrs: networks.map(parseCidr).filter((each) => each !== undefined), texts: networks };
  }
  if (nodes !== undefined) return { kind: 'nodes', nodes: readLabelSelector(nodes) };
  if (domainNames !== undefined) return { kind: 'domains', names: domainNames };
  return readPods(peer);
}

function readPods({ namespaces, pods }: ClusterSubjectObject): ClusterPods {
  return {
    kind: 'pods',
    namespaces: readLabelSelector(namespaces ?? pods?.namespaceSelector),
    pods: readLabelSelector(pods?.podSelector),
  };
}

/** None where a range of v1alpha1 ends before it begins. */
function readAdminPort({ portNumber, portRange, namedPort }: AdminPortObject): readonly NetPolicyPort[] {
  if (portNumber !== undefined) return [range(portNumber.protocol, portNumber.port, portNumber.port)];
  if (portRange === undefined) return [{ kind: 'named', protocol: undefined, name: namedPort ?? '' }];
  return portRange.end < portRange.start ? [] : [range(portRange.protocol, portRange.start, portRange.end)];
}

function readProtocol({ tcp, udp, sctp, destinationNamedPort }: ClusterProtocolObject): NetPolicyPort {
  const [protocol, destination]: [Protocol, typeof tcp] =
    tcp !== undefined ? ['TCP', tcp] : udp !== undefined ? ['UDP', udp] : ['SCTP', sctp];
  if (destination === undefined) return { kind: 'named', protocol: undefined, name: destinationNamedPort ?? '' };
  const { number = 0, range: given } = destination.destinationPort ?? {};
  return range(protocol, given?.start ?? number, given?.end ?? number);
}

function range(protocol: Protocol = 'TCP', first: number, last: number): NetPolicyPort {
  return { kind: 'range', protocol, first, last };
}
