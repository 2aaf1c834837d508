import type { Family } from '../common/addresses/family.ts';
import type { Protocol } from '../common/addresses/protocol.ts';
import type { Origin } from '../diagnostics/diagnostic.ts';
import type { LoadBalancerIngress, SourceRange } from './servicePort.ts';

/** A Service as the cluster knows it, with defaults and allocations filled in: those without rules (headless, ExternalName) too. */
export interface Service {
  /** `unallocated`: it should have a cluster IP and has none, under `--no-allocate`. */
  readonly kind: 'clusterIP' | 'headless' | 'externalName' | 'unallocated';
  readonly namespace: string;
  readonly name: string;
  /** `namespace/name`. */
  readonly id: string;
  readonly type: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName';
  /** Canonical, in the order of spec.clusterIPs; empty unless `kind` is `clusterIP`. */
  readonly clusterIPs: readonly string[];
  /** As written; empty unless `kind` is `externalName`. */
  readonly externalName: string;
  /** In the order of spec.ports. */
  readonly ports: readonly PortOfService[];
  /**
   * From one source only: EndpointSlices, otherwise Endpoints, otherwise the Pods of the selector. The order is
   * undefined, and duplicates stay.
   */
  readonly endpoints: readonly EndpointOfService[];
  readonly loadBalancer: LoadBalancerOfService;
  /** ClientIP affinity in seconds; undefined: none. */
  readonly affinitySeconds: number | undefined;
  readonly isExternalPolicyLocal: boolean;
  /** 0: none. */
  readonly healthCheckNodePort: number;
  /** As written in metadata.creationTimestamp; empty: not known. */
  readonly createdAt: string;
  readonly annotations: Readonly<Record<string, string>>;
  readonly origin: Origin;
}

export interface PortOfService {
  /** Empty for an unnamed port. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly port: number;
  /** Port of the Pods: number or name. */
  readonly targetPort: number | string;
  /** 0: none. */
  readonly nodePort: number;
}

/** One address behind a Service, with all ports it answers at. */
export interface EndpointOfService {
  readonly family: Family;
  /** As written, a valid address. */
  readonly address: string;
  /** Its name in DNS; empty: none of its own. */
  readonly hostname: string;
  /** Name of the Pod behind it; empty: not known. */
  readonly target: string;
  /** Empty: not known. */
  readonly node: string;
  readonly isReady: boolean;
  readonly ports: readonly PortOfEndpoint[];
}

export interface PortOfEndpoint {
  /** Empty for an unnamed port. */
  readonly name: string;
  readonly protocol: Protocol;
  /** Undefined: the slice names the port without a number. */
  readonly port: number | undefined;
}

export interface LoadBalancerOfService {
  /** Of status.loadBalancer, those that have an IP. */
  readonly ingress: readonly LoadBalancerIngress[];
  /** spec.loadBalancerIP, as written; empty: none. */
  readonly requestedIP: string;
  /** spec.loadBalancerClass; empty: none. */
  readonly className: string;
  readonly sourceRanges: readonly SourceRange[];
}
