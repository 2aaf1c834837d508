/** What is known about the node and a finding's subject, for the commands of a fix; missing fields are unknown. */
export interface FixNames {
  readonly node?: string;
  /** kube-proxy's Pod on this node, in kube-system. */
  readonly proxyPod?: string;
  /**
   * The range by which kube-proxy on this node recognizes Pods: that of the cluster, or of the node. At most one a
   * family.
   */
  readonly podRanges?: readonly string[];
  /** Those of them that cover the Pods of all nodes. */
  readonly clusterRanges?: readonly string[];
  /** `namespace/name:port` or `namespace/name`. */
  readonly service?: string;
  /** An EndpointSlice: `namespace/name`. */
  readonly slice?: string;
  readonly address?: string;
  readonly port?: number;
}
