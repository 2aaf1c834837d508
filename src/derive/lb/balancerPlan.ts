import type { Family } from '../../common/addresses/family.ts';

/** A balancer in front of node ports: what it listens on, and the nodes behind each. Sorted by name. */
export interface Listener {
  /** `namespace_service_port`, with `_udp`, and a number from the second address on. No name has an underscore. */
  readonly name: string;
  /** Undefined: every address of the family. */
  readonly address: string | undefined;
  readonly family: Family;
  readonly port: number;
  readonly protocol: 'TCP' | 'UDP';
  readonly servers: readonly NodeServer[];
  readonly check: Check;
  /** All connections of one source go to one server, for so many idle seconds; undefined: in turn. */
  readonly affinitySeconds: number | undefined;
  /** Who may connect; empty: everyone. */
  readonly sourceRanges: readonly string[];
  /** Tells servers the source in a PROXY line; undefined: no. */
  readonly proxyProtocol: 'v1' | 'v2' | undefined;
}

/** A node at its node port. */
export interface NodeServer {
  readonly node: string;
  readonly ip: string;
  readonly port: number;
}

/** How it is found out that a server is up. */
export type Check =
  | { readonly kind: 'none' }
  /** By a connection to the node port. */
  | { readonly kind: 'connect' }
  /** `GET /healthz` at a port of the node, answered with 200. */
  | { readonly kind: 'healthz'; readonly port: number };

/** What the command line says about the balancer, with defaults filled in. */
export interface BalancerOptions {
  readonly program: 'haproxy' | 'nginx';
  /** `namespace/name`; undefined: every Service of type LoadBalancer without a class. */
  readonly services?: readonly string[];
  /** `namespace/name` of workloads or Pods whose host ports are balanced. */
  readonly hostPorts?: readonly string[];
  /** Canonical; undefined: what each Service says. */
  readonly bind?: readonly string[];
  readonly proxyProtocol?: 'v1' | 'v2';
  readonly check: 'tcp' | 'kube-proxy' | 'none';
}
