import type { Family } from '../common/addresses/family.ts';
import type { Protocol } from '../common/addresses/protocol.ts';

/**
 * What the rules of a node show of Services, by `namespace/name`: values that only the cluster knows and that manifests
 * from a repository lack.
 */
export type SeenServices = ReadonlyMap<string, SeenService>;

export interface SeenService {
  readonly clusterIPs: ReadonlyMap<Family, string>;
  /** Addresses of load balancers. */
  readonly loadBalancerIPs: ReadonlySet<string>;
  /** Addresses that are a load balancer's or external IPs: the rules do not say which. */
  readonly externalIPs: ReadonlySet<string>;
  /** By {@link seenPort}. */
  readonly nodePorts: ReadonlyMap<string, number>;
  /** Names of ports by protocol and the Service's port: `TCP 80`; empty for an unnamed one. */
  readonly portNames: ReadonlyMap<string, string>;
  /** 0: none is shown. */
  readonly healthCheckNodePort: number;
  /** Undefined: none is shown. */
  readonly affinitySeconds: number | undefined;
  /** Local if it is for one port. */
  readonly externalPolicy: 'Cluster' | 'Local' | undefined;
  readonly internalPolicy: 'Cluster' | 'Local' | undefined;
  /** Who may come to the addresses of its load balancer, without these themselves; empty: everybody. */
  readonly sourceRanges: readonly string[];
  /** Whether these may come to themselves, as kube-proxy allows where a range holds the node; without an entry no ranges are shown. */
  readonly allowsNode: ReadonlyMap<Family, boolean>;
  /** By family and {@link seenPort}: `ipv4 TCP http`. A port without an entry shows nothing of its endpoints. */
  readonly endpoints: ReadonlyMap<string, readonly SeenEndpoint[]>;
  /** Ports, by the same key, whose endpoints are all on other nodes and not shown: traffic to them is dropped. */
  readonly elsewhere: ReadonlySet<string>;
  /** Ports, by the same key, that rules lead to endpoints whose chains a fragment does not show. */
  readonly unshown: ReadonlySet<string>;
}

export interface SeenEndpoint {
  readonly ip: string;
  readonly port: number;
  /** Traffic that may leave the node goes to it. */
  readonly isInCluster: boolean;
  /** Traffic that stays on the node goes to it. */
  readonly isLocal: boolean;
}

/** The key of one port of a Service: `TCP http`; `TCP ` for an unnamed one. */
export function seenPort(protocol: Protocol, portName: string): string {
  return `${protocol} ${portName}`;
}
