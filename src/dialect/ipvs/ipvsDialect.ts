/**
 * How one kube-proxy version spells what it decided in IPVS mode: sets, chains, rules. Emitters read these and never
 * look at a version.
 */
export interface IpvsDialect {
  /** Packets of the node itself to a load balancer whose source ranges keep it out are dropped in OUTPUT. */
  readonly hasOutputFilter: boolean;
}
