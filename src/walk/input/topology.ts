import type { Value, ValueRange } from '../../common/ranges/valueRange.ts';

/** What the walk needs to know about the node's network, all in one family. */
export interface Topology {
  readonly interfaces: ReadonlyMap<string, WalkInterface>;
  readonly routes: readonly WalkRoute[];
  /** By priority; undefined: the kernel's own three (local, main, default). */
  readonly rules: readonly RoutingRule[];
  /** Routes or their rules give packets realms. */
  readonly hasRealms?: true;
  readonly sysctls: ReadonlyMap<string, number>;
  readonly pods: readonly WalkPod[];
  /** Addresses of other nodes and of hosts outside, by name. */
  readonly hosts: readonly { readonly name: string; readonly addresses: readonly Value[] }[];
  readonly node?: string;
  /** Where Pods are, if no routes were given: an address without a better route counts as a Pod on this node. */
  readonly podRanges?: readonly ValueRange[];
  /** Parts that were not given, and the assumptions instead: reported if the walk used them. */
  readonly assumed: ReadonlyMap<AssumedPart, string>;
}

export type AssumedPart = 'interfaces' | 'routes' | 'sysctls' | 'pods' | 'bridges' | 'rules';

export interface WalkInterface {
  readonly name: string;
  readonly addresses: readonly InterfaceAddress[];
  /** The bridge that it is a port of. */
  readonly bridge?: string;
  /** The bridge sends packets back out of the port by which they came in. */
  readonly isHairpin: boolean;
  readonly isBridge: boolean;
  /** Its number, as `ip addr` shows it; undefined: not shown, or a name that only the node knows. */
  readonly group?: number;
  /** ARPHRD_ of the kernel; undefined: not shown. */
  readonly type?: number;
}

export interface InterfaceAddress {
  readonly address: Value;
  readonly network: ValueRange;
  readonly scope: 'global' | 'link' | 'host';
  readonly isDeprecated?: true;
}

export interface WalkRoute {
  readonly type: string;
  readonly destination: ValueRange;
  /** Bits of the prefix. */
  readonly length: number;
  readonly via?: Value;
  readonly device?: string;
  readonly source?: Value;
  readonly table: string;
  readonly metric: number;
  readonly hasMoreHops?: true;
}

export interface RoutingRule {
  readonly priority: number;
  readonly isInverted: boolean;
  readonly from?: ValueRange;
  readonly to?: ValueRange;
  readonly mark?: { readonly value: number; readonly mask: number };
  readonly iif?: string;
  readonly oif?: string;
  /** The name of a table, or what happens instead. */
  readonly action: { readonly kind: 'table'; readonly table: string } | { readonly kind: 'end'; readonly type: string };
  /** Words with unknown meaning. */
  readonly unknown?: string;
}

export interface WalkPod {
  /** `namespace/name` if known. */
  readonly name: string;
  readonly addresses: readonly Value[];
  readonly node?: string;
  readonly interface?: string;
}
