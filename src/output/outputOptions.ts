/** What depends on the host and is no setting of kube-proxy. */
export interface OutputOptions {
  readonly hasNfacct: boolean;
}
