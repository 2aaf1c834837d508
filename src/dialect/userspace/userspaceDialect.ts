/** How one kube-proxy version spells its userspace mode. */
export interface UserspaceDialect {
  /** The rule that lets node ports through names its Service port twice. */
  readonly repeatsNodePortComment: boolean;
}
