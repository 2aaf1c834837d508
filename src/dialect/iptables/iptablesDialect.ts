/**
 * How one kube-proxy version spells what it decided in iptables mode. Emitters read these and never look at a version;
 * a new version is a row in `iptablesTable.ts` that sets the values it changed.
 */
export interface IptablesDialect {
  /** Digits of `--probability` in what kube-proxy writes. */
  readonly probabilityDigits: 5 | 10;
  /** Service addresses carry `/32` or `/128` in what kube-proxy writes; dumps always do. */
  readonly writesHostPrefix: boolean;

  /** How marked packets get the node's address. `inline`: a rule in POSTROUTING itself, no chain. */
  readonly postrouting: 'inline' | 'single' | 'singleRandomFully' | 'three';
  /** How a packet is marked for masquerading. `inline`: a fixed mark, set by every rule itself. */
  readonly masqueradeMark: 'inline' | 'set-xmark' | 'or-mark';

  /** Rules of KUBE-FORWARD that let conntrack's known connections pass. */
  readonly forward: 'none' | 'cidrPair' | 'pair' | 'one';
  /** KUBE-FIREWALL guards route_localnet (before: kubelet's work). */
  readonly guardsLocalnet: boolean;

  /** Comment of a rule that balances over KUBE-SVC (and KUBE-SVL). */
  readonly balanceComment: 'none' | 'servicePort' | 'endpoint';
  /** Comment of the rules in KUBE-SEP. */
  readonly endpointComment: 'none' | 'servicePort';
  /** Comment of a rule that balances over KUBE-XLB. */
  readonly localBalanceComment: 'numbered' | 'servicePort';
  /** Comments of endpoint rules go away past 1000 endpoints: in KUBE-SVC and KUBE-SEP, and in KUBE-XLB too. */
  readonly largeClusterDropsComments: 'never' | 'except xlb' | 'everywhere';

  /** Where traffic to a cluster IP is marked for masquerading. `part`: by the svcMasquerade part. */
  readonly clusterMasquerade: 'services' | 'svc' | 'part';
  /** With masqueradeAll the rule for traffic from outside the cluster is written all the same. */
  readonly repeatsMasquerade: boolean;

  /** The chains that external traffic passes: straight to SVC, FW before it, FW and XLB, or EXT with SVL. */
  readonly external: 'svc' | 'fw' | 'xlb' | 'ext';
  /** externalIPs: two rules that tell bridged and local packets apart, or one jump. */
  readonly externalIP: 'physdev' | 'single';

  /** The filter chain that rejects traffic to a Service without endpoints, by the kind of address. */
  readonly rejectClusterIP: RejectChain;
  readonly rejectNodePort: RejectChain;
  readonly rejectExternalIP: RejectChain;
  readonly rejectLoadBalancerIP: RejectChain;
  /** The nat rules of a Service without endpoints are written as if it had some. */
  readonly keepsNatWithoutEndpoints: boolean;
  /** What a Local policy without local endpoints comes to: a jump to KUBE-MARK-DROP in nat, or a DROP in filter. */
  readonly noLocalEndpoints: 'mark drop' | 'filter drop';
  /** What ends KUBE-FW: a jump to KUBE-MARK-DROP, nothing, or a rule that only comments. */
  readonly firewallEnd: 'mark drop' | 'nothing' | 'comment';
  /** The drop of KUBE-FW's leftovers is in filter KUBE-PROXY-FIREWALL. */
  readonly filtersFirewall: boolean;
  /** KUBE-FW's chain line is repeated for each load-balancer IP. */
  readonly firewallLinePerIP: boolean;
  /** Rules for the node's own traffic in KUBE-XLB: before or after the one for pods. */
  readonly xlbLocalRules: 'before' | 'after';
  readonly xlbAffinity: boolean;
  readonly hasHealthCheckRules: boolean;

  /** Empty chain KUBE-MARK-DROP is made if kubelet has not made it. */
  readonly ensuresMarkDrop: boolean;
  /** Empty chains KUBE-PROXY-CANARY tell a flush of the tables. */
  readonly hasCanary: boolean;
  readonly filterChains: readonly string[];
  readonly natChains: readonly string[];
  /** In the order of kube-proxy's calls; each is inserted at the top of its chain. */
  readonly jumps: readonly BuiltinJump[];
  /** The parts of a service port's rules, in the order they are written. */
  readonly parts: readonly Part[];
  /** The order of a service port's chain lines. */
  readonly chainLines: readonly ServiceChain[];

  /** Counts INVALID drops by nfacct, where the kernel has it (option `--nfacct`). */
  readonly countsInvalid: boolean;
  /** Counts node-port traffic to localhost by nfacct, where the kernel has it (option `--nfacct`). */
  readonly countsLocalhostNodePorts: boolean;
}

export type RejectChain = 'none' | 'KUBE-SERVICES' | 'KUBE-EXTERNAL-SERVICES';

export interface BuiltinJump {
  readonly table: 'filter' | 'nat';
  readonly from: string;
  readonly to: string;
  readonly onlyNew: boolean;
  /** Empty: no comment. */
  readonly comment: string;
}

export type Part =
  | 'clusterIP'
  | 'externalIPs'
  | 'loadBalancerIPs'
  | 'nodePort'
  | 'clusterIPReject'
  | 'healthCheck'
  | 'endpointsInterleaved'
  | 'svcMasquerade'
  | 'ext'
  | 'fw'
  | 'svc'
  | 'svl'
  | 'sep'
  | 'xlb';

export type ServiceChain = 'SVC' | 'SVL' | 'XLB' | 'EXT' | 'FW' | 'SEP';
