import type { SetKey } from './ipvsSets.ts';

/**
 * How one kube-proxy version spells what it decided in IPVS mode: sets, chains, rules, kernel settings. Emitters read
 * these and never look at a version.
 */
export interface IpvsDialect {
  /** In the order in which kube-proxy makes them; all are there always, also empty. */
  readonly sets: readonly SetKey[];
  /** IPv6 sets are named `KUBE-6-…`; before, both families used the same names. */
  readonly namesIPv6Sets: boolean;

  /** In the order in which kube-proxy makes them, nat before filter. */
  readonly natChains: readonly string[];
  readonly filterChains: readonly string[];
  /** Empty nat chain KUBE-MARK-DROP is made before all others, if kubelet has not made it. */
  readonly ensuresMarkDrop: boolean;
  /**
   * Chain lines of nat in the first text on a fresh node. Chains were looked for before they were made, and one that was
   * not found got the line of KUBE-POSTROUTING.
   */
  readonly natChainLines: 'own' | 'allPostrouting';
  /** In the order of kube-proxy's calls; each is inserted at the top of its chain. */
  readonly jumps: readonly IpvsJump[];
  /** Groups of rules, in the order they are written. */
  readonly natParts: readonly NatPart[];
  readonly filterParts: readonly FilterPart[];

  /** How marked packets get the node's address. */
  readonly postrouting: 'single' | 'singleRandomFully' | 'three';
  /** Rules of KUBE-FORWARD that let conntrack's known connections pass. */
  readonly forward: 'cidrPair' | 'pair' | 'one';
  /**
   * SCTP node ports: one bitmap that leads to KUBE-NODE-PORT, where nothing marks; by address and port, with the rule of
   * all node ports before that of policy Local, which then never decides; or as TCP and UDP, Local first.
   */
  readonly sctpNodePorts: 'bitmap' | 'generalFirst' | 'localFirst';
  /** Sets that KUBE-IPVS-FILTER lets pass, in the order of its rules. */
  readonly passesAccessFilter: readonly SetKey[];

  /** An external address that is one of the node's own is bound to kube-ipvs0 all the same. */
  readonly bindsOwnAddresses: boolean;
  /** Node ports are open on loopback addresses that nodePortAddresses name. */
  readonly opensLoopbackNodePorts: boolean;
  /** The timeouts of IPVS connections can be configured. */
  readonly setsTimeouts: boolean;
  /** The kernel setting route_localnet is turned on. */
  readonly routesLocalnet: boolean;
  /** Strict ARP: always, or if it is configured. */
  readonly strictARP: 'always' | 'configured';
}

/** A rule of a built-in chain that leads to one of kube-proxy's. */
export interface IpvsJump {
  readonly table: 'filter' | 'nat';
  readonly from: string;
  readonly to: string;
  readonly comment: string;
}

export type NatPart =
  /** What comes from a loopback address is left alone. */
  | 'skipLoopback'
  | 'masquerade'
  | 'hairpin'
  | 'loadBalancer'
  /** Source ranges of load balancers, by KUBE-FIREWALL of nat. */
  | 'sourceRanges'
  | 'loadBalancerLocal'
  | 'nodePorts'
  | 'clusterIP'
  | 'externalIPs'
  | 'toNodePorts'
  | 'markLoadBalancer'
  /** The end of KUBE-FIREWALL: what no source range let pass. */
  | 'dropRefused'
  | 'accept';

export type FilterPart =
  /** Source ranges of load balancers, by KUBE-PROXY-FIREWALL. */
  | 'firewall'
  /** The node's own packets to load balancers whose source ranges keep it out. */
  | 'ownTraffic'
  | 'forward'
  | 'healthCheck'
  /** Only Services are reached by the addresses of kube-ipvs0, not what else listens on the node. */
  | 'accessFilter';
