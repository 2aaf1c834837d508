import type { Cidr } from '../../common/addresses/cidr.ts';

/** What the Pod network asks of every node, spelled by the printers of the forms. */
export interface RoutesPlan {
  readonly cni: Cni;
  /** In byte order of the names. */
  readonly nodes: readonly PlannedNode[];
  /** What a router between the nodes has to know; only a bare bridge needs one. */
  readonly router: readonly PlannedRoute[];
  readonly overlaps: readonly NetworkOverlap[];
  /** An overlap, a route that the kernel refuses, or one that is missing: the network does not work as it is. */
  readonly hasFindings: boolean;
}

export type Cni = 'flannel' | 'calico' | 'kindnet' | 'bridge';

/** The entries are made when they are asked for: those of a thousand nodes are a million. */
export interface PlannedNode {
  readonly name: string;
  readonly entries: () => NodeEntries;
}

/** Sorted: routes by network, neighbors by address, forwarding entries by destination. */
export interface NodeEntries {
  readonly addresses: readonly DeviceAddress[];
  readonly routes: readonly PlannedRoute[];
  readonly neighbours: readonly Neighbour[];
  readonly fdb: readonly FdbEntry[];
}

/** `address` has its length. */
export interface DeviceAddress {
  readonly dev: string;
  readonly address: string;
}

export interface PlannedRoute {
  readonly dst: Cidr;
  readonly isBlackhole: boolean;
  readonly via?: string;
  readonly dev?: string;
  readonly proto?: 'kernel' | 'bird' | '80';
  readonly scope?: 'link' | 'global';
  readonly src?: string;
  readonly isOnlink: boolean;
  /** The gateway is not on a link of the node: the kernel refuses such a route. */
  readonly isRefused: boolean;
}

export interface Neighbour {
  readonly ip: string;
  readonly dev: string;
  readonly lladdr: string;
}

export interface FdbEntry {
  readonly lladdr: string;
  readonly dev: string;
  readonly dst: string;
}

/** Two networks that share addresses, or a range that lies outside of the one it should be part of. */
export interface NetworkOverlap {
  readonly kind: 'network-overlap' | 'pod-cidr-overlap' | 'pod-cidr-outside';
  readonly a: string;
  readonly b: string;
}
