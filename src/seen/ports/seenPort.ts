import type { Family } from '../../common/family.ts';
import type { Protocol } from '../../common/protocol.ts';

/**
 * One port of one Service in one family, as the rules of a node show it. What is undefined is not shown. It is written to
 * while rules are read, and never after.
 */
export interface SeenPort {
  readonly family: Family;
  /** `namespace/name`. */
  readonly service: string;
  /** Empty: the port has none. */
  readonly portName: string;
  readonly protocol: Protocol;
  /** No rule names the Service: the name was made up. */
  readonly isNameless?: true;

  clusterIP?: string | undefined;
  port?: number | undefined;
  nodePort?: number | undefined;
  /** A node port has a rule of its own, or an address: what is not listed does not exist. */
  healthCheckNodePort?: number | undefined;
  /** In the order of the rules. */
  readonly externalIPs: string[];
  readonly loadBalancerIPs: string[];
  /** External IPs or addresses of a load balancer: the rules do not say which. */
  readonly eitherIPs: string[];
  /** Addresses of load balancers are told apart here: the others are external IPs. */
  tellsLoadBalancers?: true | undefined;
  /** Rules for external traffic are there, and none says which address leads to them. */
  hasLostAddress?: true | undefined;
  sources?: SeenSources | undefined;
  affinitySeconds?: number | undefined;

  externalPolicy?: TrafficPolicy | undefined;
  /** What external IPs lead to, which through 1.18 do not go by the policy. */
  externalIPPolicy?: TrafficPolicy | undefined;
  internalPolicy?: TrafficPolicy | undefined;
  /** A policy Local finds no endpoint here: traffic goes to other nodes, or nowhere. */
  fallsBack?: boolean | undefined;
  /** False: traffic is refused. */
  hasEndpoints?: boolean | undefined;
  /** Endpoints for policy Cluster and for policy Local, in the order of the rules. */
  cluster?: readonly SeenAddress[] | undefined;
  local?: readonly SeenAddress[] | undefined;
  /** Rules lead to endpoints that are not shown. */
  lacksEndpoints?: true | undefined;
  /** Endpoints that rules know and send nothing new to. */
  readonly idle: SeenAddress[];
  /** `ip:port` of endpoints that are on this node; undefined: the rules say it of none but those of `local`. */
  localAddresses?: ReadonlySet<string> | undefined;
}

export type TrafficPolicy = 'Cluster' | 'Local';

export interface SeenAddress {
  /** As kube-proxy wrote it, where that shows. */
  readonly ip: string;
  readonly port: number;
}

/** Who may come to the addresses of a load balancer. */
export interface SeenSources {
  /** Networks and single addresses, in the order of the rules. */
  readonly ranges: readonly string[];
  /**
   * The load balancer's own addresses may come too, which kube-proxy allows where a range holds the node: told apart from
   * the ranges; perhaps the last of these; not.
   */
  readonly own: 'apart' | 'perhaps' | 'none';
  /** There may be a range of all addresses beside these, which ipset refuses. */
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
