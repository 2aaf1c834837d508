import type { Family } from '../../common/addresses/family.ts';
import type { Protocol } from '../../common/addresses/protocol.ts';

/**
 * One port of one Service in one family, as the rules of a node show it. Undefined fields are not shown. It changes
 * while rules are being read, and never afterwards.
 */
export interface SeenPort {
  readonly family: Family;
  /** `namespace/name`. */
  readonly service: string;
  /** Empty: the port has no name. */
  readonly portName: string;
  readonly protocol: Protocol;
  /** No rule names the Service: the name is invented. */
  readonly isNameless?: true;

  clusterIP?: string | undefined;
  port?: number | undefined;
  nodePort?: number | undefined;
  /** Node ports have rules or addresses of their own: what is not listed does not exist. */
  healthCheckNodePort?: number | undefined;
  /** In the order of the rules. */
  readonly externalIPs: string[];
  readonly loadBalancerIPs: string[];
  /** External IPs or addresses of a load balancer: the rules do not distinguish them. */
  readonly eitherIPs: string[];
  /** The rules identify load-balancer addresses: all others are external IPs. */
  tellsLoadBalancers?: true | undefined;
  /** Rules for external traffic exist, but none shows which address leads to them. */
  hasLostAddress?: true | undefined;
  sources?: SeenSources | undefined;
  affinitySeconds?: number | undefined;

  externalPolicy?: TrafficPolicy | undefined;
  /** Where external IPs lead; through 1.18 they ignore the policy. */
  externalIPPolicy?: TrafficPolicy | undefined;
  internalPolicy?: TrafficPolicy | undefined;
  /** A Local policy finds no endpoint on this node: traffic goes to other nodes, or nowhere. */
  fallsBack?: boolean | undefined;
  /** False: traffic is rejected. */
  hasEndpoints?: boolean | undefined;
  /** Endpoints for policy Cluster and for policy Local, in the order of the rules. */
  cluster?: readonly SeenAddress[] | undefined;
  local?: readonly SeenAddress[] | undefined;
  /** Rules lead to endpoints that are not shown. */
  lacksEndpoints?: true | undefined;
  /** Endpoints that rules know but send no new connections to. */
  readonly idle: SeenAddress[];
  /** `ip:port` of endpoints on this node; undefined: the rules show this only for those in `local`. */
  localAddresses?: ReadonlySet<string> | undefined;
}

export type TrafficPolicy = 'Cluster' | 'Local';

export interface SeenAddress {
  /** As kube-proxy wrote it, if the rules show that. */
  readonly ip: string;
  readonly port: number;
}

/** Who may reach the addresses of a load balancer. */
export interface SeenSources {
  /** Networks and single addresses, in the order of the rules. */
  readonly ranges: readonly string[];
  /**
   * The load balancer's own addresses are allowed too; kube-proxy does that if a range contains the node. They are
   * known apart from the ranges, or may be the last of the ranges, or are not allowed.
   */
  readonly own: 'apart' | 'perhaps' | 'none';
  /** There may be another range, of all addresses, which ipset refuses. */
  readonly mayHideZero?: boolean;
}

export function newSeenPort(
  family: Family,
  service: string,
  portName: string,
  protocol: Protocol,
  isNameless = false,
): SeenPort {
  return {
    family,
    service,
    portName,
    protocol,
    ...(isNameless && { isNameless }),
    externalIPs: [],
    loadBalancerIPs: [],
    eitherIPs: [],
    idle: [],
  };
}
