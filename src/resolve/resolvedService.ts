import type { Family } from '../common/addresses/family.ts';
import type { Origin } from '../diagnostics/diagnostic.ts';
import type { PortOfService } from '../model/service.ts';
import type { LoadBalancerIngress, SourceRange } from '../model/servicePort.ts';
import type { Labels } from '../validate/kinds/objectMeta.ts';

/** A Service that gets rules, with the API server's defaults and allocations filled in. */
export interface ResolvedService {
  readonly namespace: string;
  readonly name: string;
  readonly origin: Origin;
  readonly type: 'ClusterIP' | 'NodePort' | 'LoadBalancer';
  /** Canonical, at most one for each family, in the order of spec.clusterIPs. */
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
  /** Empty: no selector; somebody maintains the endpoints by hand. */
  readonly selector: Labels;
  /** The Service comes from a table without the column: there may be a selector. */
  readonly hidesSelector: boolean;
  readonly annotations: Labels;
}
