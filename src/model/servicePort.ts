import type { Family } from '../common/addresses/family.ts';
import type { Protocol } from '../common/addresses/protocol.ts';
import type { Origin } from '../diagnostics/diagnostic.ts';
import type { Endpoint } from './endpoint.ts';

/** One port of one Service in one family, with API-server defaults applied; free of any kube-proxy version. */
export interface ServicePort {
  readonly kind: 'servicePort';
  readonly family: Family;
  readonly namespace: string;
  readonly name: string;
  /** Empty for an unnamed port. */
  readonly portName: string;
  readonly protocol: Protocol;
  /** Canonical text. */
  readonly clusterIP: string;
  readonly port: number;
  /** 0: none. */
  readonly nodePort: number;
  readonly type: 'ClusterIP' | 'NodePort' | 'LoadBalancer';
  /** Of this family, canonical, in spec order. */
  readonly externalIPs: readonly string[];
  /** The same as written in the Service. */
  readonly writtenExternalIPs: readonly string[];
  /** Of this family, in status order; ipMode decides in the plan (versions before 1.30 do not look at it). */
  readonly loadBalancerIngress: readonly LoadBalancerIngress[];
  readonly sourceRanges: readonly SourceRange[];
  /** Whether one of them holds the node, as its rules show: counts where the node's address is not known. */
  readonly allowsNode?: boolean;
  /** ClientIP affinity in seconds; undefined: none. */
  readonly affinitySeconds: number | undefined;
  /** externalTrafficPolicy is Local and the Service is externally accessible (any family); old versions ask for its type. */
  readonly isExternalPolicyLocal: boolean;
  readonly isInternalPolicyLocal: boolean;
  /** 0: none (only LoadBalancer with externalTrafficPolicy Local has one). */
  readonly healthCheckNodePort: number;
  /** Ready addresses of this node at ports that the Service does not have: its health check counts them too. */
  readonly strayLocalIPs: readonly string[];
  /** Annotation service.kubernetes.io/topology-aware-hints; undefined: absent (an empty one still hides topologyMode). */
  readonly topologyAwareHints: string | undefined;
  /** Annotation service.kubernetes.io/topology-mode. */
  readonly topologyMode: string | undefined;
  /** What the beta annotations of Kubernetes 1.4–1.6 say, for the versions that read them. */
  readonly beta: BetaAnnotations | undefined;
  /**
   * Every endpoint of the port, ready or not, in the order in which kube-proxy meets them: by the names of EndpointSlices.
   * Where slices overlap an endpoint is here twice; which of the two counts is the version's matter.
   */
  readonly endpoints: readonly Endpoint[];
  /** EndpointSlices or Endpoints of the Service are given, and hold no address. */
  readonly isWithoutAddress: boolean;
  readonly origin: Origin;
}

export interface LoadBalancerIngress {
  /** Canonical. */
  readonly ip: string;
  readonly written: string;
  readonly ipMode: 'VIP' | 'Proxy';
}

/** `service.beta.kubernetes.io/external-traffic: OnlyLocal` and `…/load-balancer-source-ranges`. */
export interface BetaAnnotations {
  readonly isExternalPolicyLocal: boolean;
  /** Of this family; empty: not given. */
  readonly sourceRanges: readonly SourceRange[];
}

export interface SourceRange {
  /** As written, trimmed (kube-proxy through 1.29 writes this one). */
  readonly written: string;
  /** Blanks stand around it. */
  readonly isPadded: boolean;
  /** Masked and canonical: `10.0.0.0/8` (kube-proxy 1.30 writes this one). */
  readonly network: string;
}
