import { type Cidr, parseCidr } from '../common/addresses/cidr.ts';
import type { Protocol } from '../common/addresses/protocol.ts';
import type { Origin } from '../diagnostics/diagnostic.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type {
  IpBlockObject,
  NetworkPolicyObject,
  NetworkPolicyPeerObject,
  NetworkPolicyPortObject,
} from '../validate/kinds/networkPolicyObjects.ts';
import { type LabelSelector, readLabelSelector } from './labelSelector.ts';

/** A NetworkPolicy with its defaults filled in. */
export interface NetPolicy {
  readonly kind: 'netPolicy';
  readonly namespace: string;
  readonly name: string;
  /** `namespace/name`. */
  readonly id: string;
  readonly podSelector: LabelSelector;
  /** Undefined: the policy does not isolate that direction. Empty: isolates it and allows nothing. */
  readonly ingress: readonly NetPolicyRule[] | undefined;
  readonly egress: readonly NetPolicyRule[] | undefined;
  /** The manifest names no policyTypes. */
  readonly hasDefaultTypes: boolean;
  /** Rules of a direction that is not among the policy's types: they mean nothing. */
  readonly ignoredRules: readonly Direction[];
  readonly origin: Origin;
}

export type Direction = 'ingress' | 'egress';

/** Peers and ports must both match; inside each list any one does. */
export interface NetPolicyRule {
  /** Undefined: everyone, also outside the cluster. */
  readonly peers: NetPolicyPeers | undefined;
  /** Undefined: every port of every protocol, ICMP too. */
  readonly ports: readonly NetPolicyPort[] | undefined;
}

/** Whom a rule names. Blocks may be very many: `all` reads them when it is first asked for. */
export interface NetPolicyPeers {
  /** In the order of the manifest. */
  readonly all: readonly NetPolicyPeer[];
  /** Those that are given by selectors. */
  readonly pods: readonly PodPeer[];
  /** Those that are networks, as they were written. */
  readonly blocks: readonly IpBlockObject[];
}

export interface PodPeer {
  readonly kind: 'pods';
  /** Undefined: the policy's own namespace. */
  readonly namespaces: LabelSelector | undefined;
  readonly pods: LabelSelector;
}

export type NetPolicyPeer =
  | PodPeer
  | { readonly kind: 'ipBlock'; readonly cidr: Cidr; readonly except: readonly Cidr[] }
  /** An element that names no one: never everyone. */
  | { readonly kind: 'nobody' };

export type NetPolicyPort =
  | { readonly kind: 'range'; readonly protocol: Protocol; readonly first: number; readonly last: number }
  /** Without a protocol: of any that a port of that name has. */
  | { readonly kind: 'named'; readonly protocol: Protocol | undefined; readonly name: string };

export function readNetPolicy({ value, origin }: Manifest<NetworkPolicyObject>): NetPolicy {
  const { spec } = value;
  const namespace = value.metadata.namespace ?? 'default';
  const types = spec?.policyTypes ?? [];
  const egressRules = spec?.egress ?? [];
  const hasDefaultTypes = types.length === 0;
  // Without types a policy is for ingress, and for egress too only if it has a rule for it.
  const isIngress = hasDefaultTypes || types.includes('Ingress');
  const isEgress = hasDefaultTypes ? egressRules.length > 0 : types.includes('Egress');
  const ingressRules = (spec?.ingress ?? []).map((rule) => readRule(rule?.from, rule?.ports));
  const ignoredRules: Direction[] = [];
  if (!isIngress && ingressRules.length > 0) ignoredRules.push('ingress');
  if (!isEgress && egressRules.length > 0) ignoredRules.push('egress');
  return {
    kind: 'netPolicy',
    namespace,
    name: value.metadata.name,
    id: `${namespace}/${value.metadata.name}`,
    podSelector: readLabelSelector(spec?.podSelector),
    ingress: isIngress ? ingressRules : undefined,
    egress: isEgress ? egressRules.map((rule) => readRule(rule?.to, rule?.ports)) : undefined,
    hasDefaultTypes,
    ignoredRules,
    origin,
  };
}

function readRule(
  peers: readonly NetworkPolicyPeerObject[] | null | undefined,
  ports: readonly NetworkPolicyPortObject[] | null | undefined,
): NetPolicyRule {
  return {
    peers: peers == null || peers.length === 0 ? undefined : readPeers(peers),
    ports: ports == null || ports.length === 0 ? undefined : ports.map(readPort),
  };
}

function readPeers(written: readonly NetworkPolicyPeerObject[]): NetPolicyPeers {
  const blocks: IpBlockObject[] = [];
  const pods: PodPeer[] = [];
  for (const peer of written) {
    if (peer.ipBlock != null) blocks.push(peer.ipBlock);
    else if (peer.namespaceSelector != null || peer.podSelector != null) pods.push(readPodPeer(peer));
  }
  let all: readonly NetPolicyPeer[] | undefined;
  return {
    pods,
    blocks,
    get all() {
      all ??= written.map(readPeer);
      return all;
    },
  };
}

function readPeer(peer: NetworkPolicyPeerObject): NetPolicyPeer {
  const { ipBlock, namespaceSelector, podSelector } = peer;
  if (ipBlock != null) {
    const cidr = parseCidr(ipBlock.cidr);
    if (cidr === undefined) return { kind: 'nobody' };
    const except = (ipBlock.except ?? []).map(parseCidr).filter((each) => each !== undefined);
    return { kind: 'ipBlock', cidr, except };
  }
  return namespaceSelector == null && podSelector == null ? { kind: 'nobody' } : readPodPeer(peer);
}

function readPodPeer({ namespaceSelector, podSelector }: NetworkPolicyPeerObject): PodPeer {
  return {
    kind: 'pods',
    namespaces: namespaceSelector == null ? undefined : readLabelSelector(namespaceSelector),
    pods: readLabelSelector(podSelector),
  };
}

function readPort({ protocol, port, endPort }: NetworkPolicyPortObject): NetPolicyPort {
  const transport = protocol ?? 'TCP';
  if (port == null) return { kind: 'range', protocol: transport, first: 0, last: 65535 };
  if (typeof port === 'string') return { kind: 'named', protocol: transport, name: port };
  return { kind: 'range', protocol: transport, first: port, last: endPort ?? port };
}
