/** What depends on the host, not on the manifests. */
export interface EmitOptions {
  /** The kernel has nfacct (xt_nfacct): versions from 1.32 on count some packets with it. */
  readonly hasNfacct: boolean;
}
