/**
 * What is known about a node's network apart from rules: read from tools, from a facts file, or derived from objects.
 */
export interface NetworkFacts {
  readonly node?: string;
  readonly interfaces: readonly NetworkInterface[];
  /** Listings showed some of them, as `ip addr show eth0` does: others are unknown. */
  readonly hasOtherInterfaces?: true;
  readonly routes: readonly NetworkRoute[];
  readonly rules: readonly NetworkRule[];
  /** All names are written with dots: `net.ipv4.conf.eth0.100.rp_filter`. */
  readonly sysctls: ReadonlyMap<string, number>;
  /** Settings that the kernel says it does not have: the module that provides them is not loaded. */
  readonly missingSysctls: ReadonlySet<string>;
  /** Loaded modules. If the list is whole, others are not loaded, but may be built in. */
  readonly modules?: { readonly names: ReadonlySet<string>; readonly isWhole: boolean };
  readonly pods: readonly NetworkPod[];
  /** Other nodes, and hosts outside the cluster. */
  readonly hosts: readonly { readonly name: string; readonly ips: readonly string[] }[];
  /** What /proc/net/xt_recent shows: seconds since each address was last seen. */
  readonly seen: readonly { readonly list: string; readonly ip: string; readonly seconds: number }[];
}

export interface NetworkInterface {
  readonly name: string;
  /** `IP/LENGTH`. */
  readonly addresses: readonly { readonly cidr: string; readonly scope?: string; readonly isDeprecated?: true }[];
  /** The bridge that it is a port of. */
  readonly master?: string;
  readonly isBridge?: true;
  readonly isHairpin?: true;
  /** As `ip addr` names it: `default` or a number. */
  readonly group?: string;
  /** As `ip addr` names it: `ether`, `loopback`, `none`. */
  readonly linkType?: string;
  /** Size in bytes of the largest packet that it sends. */
  readonly mtu?: number;
}

export interface NetworkRoute {
  readonly family: 'ipv4' | 'ipv6';
  readonly type: string;
  /** `IP/LENGTH`. */
  readonly destination: string;
  readonly via?: string;
  readonly device?: string;
  readonly source?: string;
  readonly table: string;
  readonly metric: number;
  readonly hasMoreHops?: true;
  readonly hasRealm?: true;
}

/** One line of `ip rule`. */
export interface NetworkRule {
  readonly family: 'ipv4' | 'ipv6' | undefined;
  readonly priority: number;
  /** The text behind the priority: `from all lookup main`. */
  readonly words: readonly string[];
}

export interface NetworkPod {
  readonly name: string;
  readonly ips: readonly string[];
  readonly node?: string;
  readonly interface?: string;
}

/** All interfaces of the node are given. */
export function showsInterfaces(network: NetworkFacts): boolean {
  return network.hasOtherInterfaces !== true && showsAddresses(network);
}

/** Some of its addresses are: what `bridge link` prints are ports without any. */
export function showsAddresses({ interfaces }: NetworkFacts): boolean {
  return interfaces.some(({ addresses }) => addresses.length > 0);
}

export const noNetwork: NetworkFacts = {
  interfaces: [],
  routes: [],
  rules: [],
  sysctls: new Map(),
  missingSysctls: new Set(),
  pods: [],
  hosts: [],
  seen: [],
};
