import type { Hooks } from './hooks.ts';

/**
 * How one kube-proxy version spells what it decided in nftables mode: chains, sets, rules. Emitters read these and never
 * look at a version.
 */
export interface NftablesDialect {
  /** The base chains and the jumps from them. */
  readonly hooks: Hooks;
  /** A process's first transaction deletes and remakes the base chains, whose hooks and priorities cannot be changed. */
  readonly remakesBaseChains: boolean;
  /** What the skeleton empties before the services are written; later versions read what is there instead. */
  readonly flushes: readonly SetFlush[];

  /** Services without endpoints are looked up in one chain for addresses and node ports, or in one each. */
  readonly endpointChecks: 'one' | 'perKind';
  /** Traffic to an unknown port of a cluster IP is rejected; needs set `cluster-ips`. */
  readonly checksClusterIPs: boolean;
  /** Traffic to addresses in the ranges of cluster IPs that no Service has is dropped (gate MultiCIDRServiceAllocator). */
  readonly dropsUnallocated: boolean;

  /**
   * Source ranges of load balancers: as elements of set `firewall-allow`, or as a rule in a chain of the service port,
   * which stands right behind the chain, or behind the rules of the external chain.
   */
  readonly sourceRanges: 'elements' | 'ruleAtChain' | 'ruleBehindExternal';
  /** An element that leads to a `firewall-` chain names its service port. */
  readonly namesFirewallElements: boolean;
  /** An element is written again for every service port that needs it; otherwise once, and the last verdict wins. */
  readonly repeatsElements: boolean;

  /** Interfaces of Pods are matched by index, which must exist while the rules are loaded, or by name. */
  readonly interfaceMatch: 'iif' | 'iifname';
  /** A packet is marked for masquerading by chain `mark-for-masquerade`, or by every rule itself. */
  readonly masqueradeMark: 'chain' | 'inPlace';
  /**
   * Traffic to a cluster IP is marked in the chain of its service port, by address and port or by address alone, or for
   * all cluster IPs in chain `services`.
   */
  readonly clusterIPMark: 'addressAndPort' | 'address' | 'services';
  /** A Pod that reaches itself is marked in the chain of its endpoint, or found in set `hairpin-connections`. */
  readonly hairpin: 'endpointChain' | 'set';
  /** Without ClientIP affinity a choice leads to chains of endpoints, or is made by the DNAT rule itself. */
  readonly balance: 'endpointChains' | 'dnatMap';
  /** A choice of one endpoint is none: the DNAT rule names it. */
  readonly namesSingleEndpoint: boolean;
  /** Comments of elements are cut to the 128 bytes that nft takes; before, a longer one makes it refuse all. */
  readonly cutsComments: boolean;
  /** Node ports on loopback addresses: nothing of them; what an earlier kube-proxy left is deleted; it answers there itself. */
  readonly localNodePorts: 'none' | 'cleared' | 'proxied';
}

export interface SetFlush {
  readonly kind: 'set' | 'map';
  readonly name: string;
}
