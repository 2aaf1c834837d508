import type { Family } from '../common/addresses/family.ts';
import type { Endpoint } from '../model/endpoint.ts';
import type { ServicePort } from '../model/servicePort.ts';

/** Every decision about one family's rules, made once; the back ends differ only in how they spell it. */
export interface Plan {
  readonly family: Family;
  readonly node: NodePlan;
  /** Sorted by `namespace/name:port` in byte order, then protocol (kube-proxy itself walks a map in random order). */
  readonly services: readonly ServicePlan[];
}

export interface NodePlan {
  readonly family: Family;
  /** Node IP of the family, canonical; 127.0.0.1 or ::1 if none is known. */
  readonly nodeIP: string;
  /** `1 << masqueradeBit`, unsigned. */
  readonly mark: number;
  /** Which traffic to cluster IPs is masqueraded. */
  readonly clusterMasquerade: ClusterMasquerade;
  /** How traffic of local Pods is recognized; undefined: not at all. */
  readonly localDetector: LocalDetector | undefined;
  /** Where node ports are open. */
  readonly nodePorts: NodePortAddresses;
  /** Node ports also answer on 127.0.0.1: needs route_localnet and the KUBE-FIREWALL guard. iptables mode, IPv4. */
  readonly usesLocalhostNodePorts: boolean;
  /** Loopback addresses do not take part in node ports. */
  readonly excludesLoopbackNodePorts: boolean;
  /** nodePortAddresses names loopback addresses, and not as part of every address. */
  readonly namesLoopback: boolean;
  /** More than 1000 endpoints in all: comments of endpoint rules are left out (since 1.12, kubernetes' own limit). */
  readonly isLargeCluster: boolean;
  /** Packets that conntrack marks INVALID are dropped before they can reset a connection. */
  readonly dropsInvalid: boolean;
  /** Ranges of cluster IPs, if they were given: some versions drop traffic to unassigned addresses in them. */
  readonly serviceCIDRs: readonly string[];
  /** Canonical addresses of the node's interfaces in this family, loopback included. */
  readonly addresses: readonly string[];
  /** IPVS mode: node ports answer, at addresses that nothing names. */
  readonly hasUnnamedNodePorts?: true;
}

/**
 * What the rules of Services depend on: usually the same on all nodes of a cluster, unlike the node's own addresses.
 */
export type SharedNodePlan = Omit<NodePlan, 'nodeIP' | 'addresses' | 'nodePorts'>;

export type ClusterMasquerade = Pick<Route, 'masquerade' | 'why'>;

export type LocalDetector =
  | { readonly kind: 'cidr'; readonly cidr: string }
  | { readonly kind: 'bridge'; readonly name: string }
  | { readonly kind: 'prefix'; readonly prefix: string };

export type NodePortAddresses =
  | { readonly kind: 'anyLocal' }
  /** Sorted as text, loopback included where it matches; may be empty. */
  | { readonly kind: 'addresses'; readonly addresses: readonly string[] };

export interface ServicePlan {
  readonly kind: 'servicePlan';
  readonly port: ServicePort;
  /** `ns/name:port`, or `ns/name` for an unnamed port (dialects before 1.19 keep the colon). */
  readonly displayName: string;
  /** `tcp`, `udp`, `sctp`. */
  readonly protocol: string;
  /** Load-balancer addresses that get rules (ipMode VIP, in versions that look at it), as the version prints them. */
  readonly loadBalancerIPs: readonly string[];
  /** Canonical, or as written in the Service, as the version prints them. */
  readonly externalIPs: readonly string[];
  /** As this version prints them; empty: everybody may connect. */
  readonly sourceRanges: readonly string[];
  /** A source range contains the node's own IP, so the load balancer's addresses pass the firewall too. */
  readonly rangesAllowNode: boolean;

  /** Seconds of ClientIP affinity; undefined: none. */
  readonly affinitySeconds: number | undefined;

  /** Every endpoint that the version knows, each once, sorted as the version sorts. */
  readonly all: readonly Endpoint[];
  /** Endpoints for policy Cluster. */
  readonly cluster: readonly Endpoint[];
  /** Endpoints for policy Local. */
  readonly local: readonly Endpoint[];
  /** Endpoints that keep their clients under policy Cluster with ClientIP affinity. */
  readonly sticky: readonly Endpoint[];
  /** Endpoints that any rule can send to; each gets its chain. */
  readonly reachable: readonly Endpoint[];

  /** Any endpoint is usable by any policy in use. */
  readonly hasEndpoints: boolean;
  /** A node port, load-balancer address or external IP of this family. */
  readonly isExternallyAccessible: boolean;
  /** The port needs endpoints of the whole cluster: internal policy Cluster, or any external address. */
  readonly usesClusterEndpoints: boolean;
  /** The port needs endpoints of this node: an internal or a used external policy is Local. */
  readonly usesLocalEndpoints: boolean;

  /** Topology hints of endpoints count, if the node has a zone and all ready endpoints have hints. */
  readonly wantsTopologyHints: boolean;
  /** Hints narrow the endpoints for policy Cluster to those for this node, or for its zone. */
  readonly usesHints: boolean;

  /** internalTrafficPolicy Local, as far as the version knows it. */
  readonly isInternalPolicyLocal: boolean;
  /** externalTrafficPolicy Local, as far as the version knows it. */
  readonly isExternalPolicyLocal: boolean;

  /** What happens to traffic for the cluster IP. */
  readonly internal: Route;
  /** What happens to traffic for node ports and load-balancer addresses. */
  readonly external: Route;
  /** What happens to traffic for external IPs: before 1.19 it differs. */
  readonly externalIP: Route;
  /**
   * Which traffic to external addresses goes to all endpoints although the policy is Local: the policy is for clients
   * outside; for the Pods of the node and the node itself, an external address is another name of the cluster IP.
   */
  readonly shortCircuits: ShortCircuits;
  /** Traffic to the node port from 127.0.0.0/8 is masqueraded, although the policy is Local. */
  readonly masqueradesLoopback: boolean;
}

export interface ShortCircuits {
  /** What Pods on this node send, as far as a local detector recognizes them. */
  readonly pods: boolean;
  /** What the node itself sends; it is masqueraded on the way. */
  readonly node: boolean;
}

/** What happens to the traffic for one kind of address. */
export interface Route {
  /**
   * `reject`: the port has no endpoint at all; `drop`: its Local policy finds none here, and a client may try another
   * node.
   */
  readonly kind: 'balance' | 'reject' | 'drop';
  /** The endpoints that the policy allows, even if the list is empty. */
  readonly over: 'cluster' | 'local';
  /** Which packets get the node's address as their source; `offCluster`: those that do not come from a local pod. */
  readonly masquerade: 'never' | 'offCluster' | 'always';
  readonly why: MasqueradeReason;
}

/** Why packets are masqueraded, or are not. */
export type MasqueradeReason =
  /** The setting of kube-proxy. */
  | 'masqueradeAll'
  /** Traffic of local Pods is recognizable, and the replies to other traffic must come back here. */
  | 'localDetector'
  /** Nothing distinguishes traffic of local Pods from other traffic. */
  | 'noLocalDetector'
  /** The version does not masquerade here. */
  | 'version'
  /** The endpoint may be on another node, and its replies must come back here. */
  | 'externalPolicyCluster'
  /** The endpoint is on this node and answers through it: the client's address is kept. */
  | 'externalPolicyLocal';
