import type { Family } from '../common/family.ts';
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
  /** Node IP of the family, canonical; 127.0.0.1 or ::1 where none is known. */
  readonly nodeIP: string;
  /** `1 << masqueradeBit`, unsigned. */
  readonly mark: number;
  readonly masqueradeAll: boolean;
  /** How traffic of local pods is told from other traffic; undefined: not at all. */
  readonly localDetector: LocalDetector | undefined;
  /** Where node ports are open. */
  readonly nodePorts: NodePortAddresses;
  /** Node ports also answer on 127.0.0.1: needs route_localnet and the KUBE-FIREWALL guard. iptables mode, IPv4. */
  readonly usesLocalhostNodePorts: boolean;
  /** Loopback addresses do not take part in node ports. */
  readonly excludesLoopbackNodePorts: boolean;
  /** More than 1000 endpoints in all: comments of endpoint rules are left out (since 1.12, kubernetes' own limit). */
  readonly isLargeCluster: boolean;
  /** Packets that conntrack calls INVALID are dropped before they can reset a connection. */
  readonly dropsInvalid: boolean;
  /** Canonical addresses of the node's interfaces in this family, loopback included. */
  readonly addresses: readonly string[];
}

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
  /** Load-balancer addresses that get rules (ipMode VIP, where the version looks at it). */
  readonly loadBalancerIPs: readonly string[];
  /** As this version prints them. */
  readonly sourceRanges: readonly string[];
  /** A source range holds the node's own IP, so the load balancer's addresses pass the firewall too. */
  readonly rangesAllowNode: boolean;

  /** Every endpoint known, sorted as the version sorts. */
  readonly all: readonly Endpoint[];
  /** Endpoints for policy Cluster. */
  readonly cluster: readonly Endpoint[];
  /** Endpoints for policy Local. */
  readonly local: readonly Endpoint[];
  /** Endpoints that any rule can send to; each gets its chain. */
  readonly reachable: readonly Endpoint[];

  /** Any endpoint is usable by any policy in use. */
  readonly hasEndpoints: boolean;
  /** Traffic to the cluster IP finds an endpoint. */
  readonly hasInternalEndpoints: boolean;
  /** Traffic to an external address finds an endpoint. */
  readonly hasExternalEndpoints: boolean;
  /** A node port, load-balancer address or external IP of this family. */
  readonly isExternallyAccessible: boolean;
  /** The port needs endpoints of the whole cluster: internal policy Cluster, or any external address. */
  readonly usesClusterEndpoints: boolean;
  /** The port needs endpoints of this node: an internal or a used external policy is Local. */
  readonly usesLocalEndpoints: boolean;

  /** Topology hints of endpoints count, if the node has a zone and all ready endpoints have hints. */
  readonly wantsTopologyHints: boolean;

  /** internalTrafficPolicy Local, as far as the version knows it. */
  readonly isInternalPolicyLocal: boolean;
  /** externalTrafficPolicy Local, as far as the version knows it. */
  readonly isExternalPolicyLocal: boolean;

  /** What happens to traffic for the cluster IP. */
  readonly internal: Route;
  /** What happens to traffic for external addresses. */
  readonly external: Route;
}

/** Where traffic goes; `offCluster` masquerades what does not come from a local pod. */
export type Route =
  | {
      readonly kind: 'balance';
      readonly over: 'cluster' | 'local';
      readonly masquerade: 'never' | 'offCluster' | 'always';
    }
  | { readonly kind: 'reject' }
  | { readonly kind: 'drop' };
