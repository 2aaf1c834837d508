/**
 * How one kube-proxy version spells what it decided in nftables mode: chains, sets, rules. Emitters read these and never
 * look at a version.
 */
export interface NftablesDialect {
  /** Interfaces of Pods are matched by index, which must exist while the rules are loaded, or by name. */
  readonly interfaceMatch: 'iif' | 'iifname';
}
