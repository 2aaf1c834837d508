import type { NodeFacts } from './nodeFacts.ts';
import type { ProxyConfig } from './proxyConfig.ts';
import type { ServicePort } from './servicePort.ts';

/** Everything that the plan is made from: resolved, defaulted, allocated; no file formats, no kube-proxy versions. */
export interface Model {
  readonly node: NodeFacts;
  readonly config: ProxyConfig;
  /** Both families, in the order of the input. */
  readonly servicePorts: readonly ServicePort[];
  /** CPUs of the node, for nf_conntrack_max. */
  readonly cpus: number;
}
