/** What is known of the node and of a finding's subject, for the commands of a fix; not given: it is not known. */
export interface FixNames {
  readonly node?: string;
  /** kube-proxy's Pod on this node, in kube-system. */
  readonly proxyPod?: string;
  /** By which kube-proxy of this node knows Pods: those of the cluster, or its own. Of each family one at most. */
  readonly podRanges?: readonly string[];
  /** Those of them that hold the Pods of all nodes. */
  readonly clusterRanges?: readonly string[];
  /** `namespace/name:port` or `namespace/name`. */
  readonly service?: string;
  /** An EndpointSlice: `namespace/name`. */
  readonly slice?: string;
  readonly address?: string;
  readonly port?: number;
}
