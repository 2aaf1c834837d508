import type { Family } from '../common/addresses/family.ts';
import type { Origin } from '../diagnostics/diagnostic.ts';
import type { NodeFacts } from './nodeFacts.ts';
import type { ProxyConfig } from './proxyConfig.ts';
import type { ServicePort } from './servicePort.ts';

/** Everything that the plan is made from: resolved, defaulted, allocated; no file formats, no kube-proxy versions. */
export interface Model {
  readonly node: NodeFacts;
  readonly config: ProxyConfig;
  /** Both families, in the order of the input. */
  readonly servicePorts: readonly ServicePort[];
  /** Ranges of cluster IPs, canonical, sorted, of both families; empty: nobody gave them. */
  readonly serviceCIDRs: readonly string[];
  /** CPUs of the node, for nf_conntrack_max. */
  readonly cpus: number;
  /** Endpoints of Services that are not in the input; missing: it has all Services. */
  readonly otherEndpoints?: Readonly<Record<Family, number>>;
  /** Services whose EndpointSlices disagree, where something else decided which entry counts. */
  readonly contested?: readonly ContestedEndpoints[];
}

export interface ContestedEndpoints {
  /** `namespace/name`. */
  readonly service: string;
  /** The first few, for people. */
  readonly addresses: string;
  /** The Service. */
  readonly origin: Origin;
}
