import type { Family } from '../common/family.ts';
import type { Origin } from '../diagnostics/diagnostic.ts';
import type { PortOfService } from '../model/service.ts';
import type { LoadBalancerIngress, SourceRange } from '../model/servicePort.ts';
import type { Labels } from '../validate/objectMeta.ts';

/** A Service that gets rules, with the API server's defaults and allocations filled in. */
export interface ResolvedService {
  readonly namespace: string;
  readonly name: string;
  readonly origin: Origin;
  readonly type: 'ClusterIP' | 'NodePort' | 'LoadBalancer';
  /** Canonical, one a family at most, in the order of spec.clusterIPs. */
  readonly clusterIPs: readonly { readonly family: Family; readonly ip: string }[];
  readonly ports: readonly PortOfService[];
  readonly externalIPs: readonly { readonly ip: string; readonly written: string }[];
  readonly ingress: readonly LoadBalancerIngress[];
  readonly sourceRanges: readonly SourceRange[];
  readonly affinitySeconds: number | undefined;
  readonly isExternalPolicyLocal: boolean;
  readonly isInternalPolicyLocal: boolean;
  readonly healthCheckNodePort: number;
  readonly publishesNotReady: boolean;
  /** Empty: no selector, endpoints are made by hand. */
  readonly selector: Labels;
  /** A table without its column shows the Service: there may be a selector. */
  readonly hidesSelector: boolean;
  readonly annotations: Labels;
}
