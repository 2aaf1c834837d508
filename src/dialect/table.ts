import type { Dialect } from './dialect.ts';
import {
  forwardJump,
  guardJumps,
  healthJump,
  jump,
  jumps120,
  jumps125,
  natJumpsWithPostrouting,
  newForward,
  newForwardExternal,
  newInput,
  newInputExternal,
  newOutput,
  portals,
} from './jumps.ts';

/** One kube-proxy version that changed something: only the changed values. */
export interface DialectRow {
  /** `1.16`; `1.18.6` is a late patch release. */
  readonly version: string;
  /** The row is a back-port that later minor versions do not build on: it ends with its minor version. */
  readonly isBranch?: true;
  /** Checked against recorded output of this version, or taken from its description. */
  readonly evidence: 'recorded' | 'described';
  /** What changed and where it is known from, for `k8snet versions`. */
  readonly origin: string;
  readonly changes: Partial<Dialect>;
}

/** Every version that changed what is written, oldest first. */
export const dialectTable: readonly DialectRow[] = [
  {
    version: '1.1',
    evidence: 'recorded',
    origin: 'first iptables mode: everything in nat, the mark is a fixed number that every rule sets itself',
    changes: {},
  },
  {
    version: '1.2',
    evidence: 'recorded',
    origin: 'KUBE-POSTROUTING and KUBE-MARK-MASQ; REJECT in filter KUBE-SERVICES for a cluster IP without endpoints',
    changes: {
      postrouting: 'single',
      masqueradeMark: 'set-xmark',
      rejectClusterIP: 'KUBE-SERVICES',
      filterChains: ['KUBE-SERVICES'],
      natChains: ['KUBE-SERVICES', 'KUBE-NODEPORTS', 'KUBE-POSTROUTING', 'KUBE-MARK-MASQ'],
      jumps: [jump('filter', 'OUTPUT', 'KUBE-SERVICES', portals), ...natJumpsWithPostrouting],
    },
  },
  {
    version: '1.3',
    evidence: 'recorded',
    origin: 'traffic to a cluster IP from outside the cluster CIDR is masqueraded',
    changes: { clusterMasquerade: 'services' },
  },
  {
    version: '1.4',
    evidence: 'recorded',
    origin: 'KUBE-FW for every load-balancer IP, with source ranges; annotations for what are fields today',
    changes: { external: 'fw', readsBetaAnnotations: true },
  },
  {
    version: '1.5',
    evidence: 'recorded',
    origin: 'KUBE-XLB for external traffic that stays on its node; affinity lasts 10800 s instead of 180 s',
    changes: { external: 'xlb', affinitySeconds: 10800 },
  },
  {
    version: '1.6',
    evidence: 'recorded',
    origin: 'REJECT for node ports without endpoints',
    changes: {
      rejectNodePort: 'KUBE-SERVICES',
    },
  },
  {
    version: '1.7',
    evidence: 'recorded',
    origin: 'REJECT for external IPs without endpoints; filter INPUT jump; masqueradeAll instead of the CIDR rule',
    changes: {
      masqueradeAllReplaces: true,
      readsBetaAnnotations: false,
      rejectExternalIP: 'KUBE-SERVICES',
      jumps: [
        jump('filter', 'INPUT', 'KUBE-SERVICES', portals),
        jump('filter', 'OUTPUT', 'KUBE-SERVICES', portals),
        ...natJumpsWithPostrouting,
      ],
    },
  },
  {
    version: '1.8',
    evidence: 'recorded',
    origin: "the affinity timeout is the Service's own",
    changes: { affinitySeconds: 'field' },
  },
  {
    version: '1.9',
    evidence: 'recorded',
    origin: 'KUBE-FORWARD; affinity in KUBE-XLB',
    changes: {
      forward: 'cidrPair',
      xlbAffinity: true,
      filterChains: ['KUBE-SERVICES', 'KUBE-FORWARD'],
      jumps: [
        jump('filter', 'INPUT', 'KUBE-SERVICES', portals),
        jump('filter', 'OUTPUT', 'KUBE-SERVICES', portals),
        ...natJumpsWithPostrouting,
        jump('filter', 'FORWARD', 'KUBE-FORWARD', 'kubernetes forward rules'),
      ],
    },
  },
  {
    version: '1.10',
    evidence: 'recorded',
    origin:
      'KUBE-EXTERNAL-SERVICES; no nat rules without endpoints; nodePortAddresses; loopback clients of Local node ports',
    changes: {
      keepsNatWithoutEndpoints: false,
      masqueradesLoopbackNodePort: true,
      honoursNodePortAddresses: true,
      rejectNodePort: 'KUBE-EXTERNAL-SERVICES',
      rejectExternalIP: 'KUBE-EXTERNAL-SERVICES',
      filterChains: ['KUBE-SERVICES', 'KUBE-EXTERNAL-SERVICES', 'KUBE-FORWARD'],
      jumps: [newInputExternal, newOutput, ...natJumpsWithPostrouting, forwardJump],
      parts: ['clusterIP', 'externalIPs', 'loadBalancerIPs', 'nodePort', 'endpointsInterleaved', 'xlb'],
    },
  },
  {
    version: '1.12',
    evidence: 'recorded',
    origin: 'comments of balancing and endpoint rules are lost (a bug, mended in 1.18)',
    changes: { balanceComment: 'none', endpointComment: 'none', largeClusterDropsComments: 'except xlb' },
  },
  {
    version: '1.14',
    evidence: 'recorded',
    origin:
      'REJECT for load-balancer IPs without endpoints; jumps for new connections in FORWARD and INPUT; INVALID packets are dropped',
    changes: {
      invalidDrop: 'yes',
      rejectLoadBalancerIP: 'KUBE-SERVICES',
      jumps: [newInputExternal, newForward, newOutput, newInput, forwardJump, ...natJumpsWithPostrouting],
    },
  },
  {
    version: '1.15',
    evidence: 'described',
    origin: "rules for the node's own traffic in KUBE-XLB, before those for pods",
    changes: { xlbLocalRules: 'before' },
  },
  {
    version: '1.16',
    evidence: 'recorded',
    origin: 'MASQUERADE --random-fully; canary chains; the node rules of KUBE-XLB come after those for pods',
    changes: { postrouting: 'singleRandomFully', xlbLocalRules: 'after', hasCanary: true },
  },
  {
    version: '1.16.13',
    isBranch: true,
    evidence: 'described',
    origin: 'July 2020 patch release: three rules in KUBE-POSTROUTING (kubernetes#92035)',
    changes: { postrouting: 'three', masqueradeMark: 'or-mark' },
  },
  {
    version: '1.17',
    evidence: 'recorded',
    origin: 'probabilities have ten digits',
    changes: { probabilityDigits: 10 },
  },
  {
    version: '1.17.9',
    isBranch: true,
    evidence: 'described',
    origin: 'July 2020 patch release: three rules in KUBE-POSTROUTING (kubernetes#92035)',
    changes: { postrouting: 'three', masqueradeMark: 'or-mark' },
  },
  {
    version: '1.18',
    evidence: 'recorded',
    origin: 'comments are back; the conntrack rules of KUBE-FORWARD need no cluster CIDR',
    changes: { balanceComment: 'servicePort', endpointComment: 'servicePort', forward: 'pair' },
  },
  {
    version: '1.18.6',
    isBranch: true,
    evidence: 'recorded',
    origin:
      'three rules in KUBE-POSTROUTING (kubernetes#92035); external traffic is checked in FORWARD (kubernetes#95252)',
    changes: {
      postrouting: 'three',
      masqueradeMark: 'or-mark',
      rejectLoadBalancerIP: 'KUBE-EXTERNAL-SERVICES',
      jumps: jumps120,
    },
  },
  {
    version: '1.19',
    evidence: 'recorded',
    origin:
      'three rules in KUBE-POSTROUTING; no colon behind a Service without port name; endpoints sorted as text (EndpointSlices); external IPs honour Local',
    changes: {
      servicePortColon: 'onlyNamed',
      postrouting: 'three',
      masqueradeMark: 'or-mark',
      endpointOrder: 'sorted',
      externalIPHonoursLocal: true,
      rejectLoadBalancerIP: 'KUBE-EXTERNAL-SERVICES',
      jumps: jumps120,
    },
  },
  {
    version: '1.20',
    evidence: 'recorded',
    origin: 'the empty chain KUBE-MARK-DROP is made',
    changes: { ensuresMarkDrop: true },
  },
  {
    version: '1.21',
    evidence: 'recorded',
    origin: 'filter KUBE-NODEPORTS accepts health checks; one jump for an external IP',
    changes: {
      hasHealthCheckRules: true,
      externalIP: 'single',
      filterChains: ['KUBE-SERVICES', 'KUBE-EXTERNAL-SERVICES', 'KUBE-FORWARD', 'KUBE-NODEPORTS'],
      jumps: [
        newInputExternal,
        newForwardExternal,
        healthJump,
        newForward,
        newOutput,
        forwardJump,
        ...natJumpsWithPostrouting,
      ],
      parts: ['clusterIP', 'externalIPs', 'loadBalancerIPs', 'nodePort', 'healthCheck', 'endpointsInterleaved', 'xlb'],
    },
  },
  {
    version: '1.22',
    evidence: 'recorded',
    origin: 'masquerading moves into KUBE-SVC; endpoints that are not ready keep their chains; internalTrafficPolicy',
    changes: {
      clusterMasquerade: 'svc',
      internalPolicy: 'cut',
      keepsNotReadyChains: true,
      parts: ['clusterIP', 'externalIPs', 'loadBalancerIPs', 'nodePort', 'healthCheck', 'svc', 'sep', 'xlb'],
    },
  },
  {
    version: '1.23',
    evidence: 'recorded',
    origin: 'endpoint chains first; addresses without /32; one conntrack rule in KUBE-FORWARD',
    changes: {
      writesHostPrefix: false,
      forward: 'one',
      keepsNotReadyChains: false,
      localBalanceComment: 'servicePort',
      largeClusterDropsComments: 'everywhere',
      parts: ['sep', 'clusterIP', 'externalIPs', 'loadBalancerIPs', 'nodePort', 'healthCheck', 'svc', 'xlb'],
      chainLines: ['SEP', 'SVC', 'XLB', 'FW'],
    },
  },
  {
    version: '1.24',
    evidence: 'recorded',
    origin: 'KUBE-EXT and KUBE-SVL replace KUBE-XLB; comments name the endpoint; topology hints',
    changes: {
      external: 'ext',
      clusterMasquerade: 'part',
      balanceComment: 'endpoint',
      firewallLinePerIP: false,
      masqueradesLoopbackNodePort: false,
      internalPolicy: 'svl',
      hints: 'auto',
      parts: [
        'sep',
        'ext',
        'svcMasquerade',
        'clusterIP',
        'externalIPs',
        'loadBalancerIPs',
        'nodePort',
        'healthCheck',
        'svc',
        'svl',
      ],
      chainLines: ['SEP', 'SVC', 'SVL', 'EXT', 'FW'],
    },
  },
  {
    version: '1.25',
    evidence: 'recorded',
    origin: 'drops move to the filter table (KUBE-PROXY-FIREWALL); nothing needs KUBE-MARK-DROP any more',
    changes: {
      noLocal: 'filter drop',
      firewallEnd: 'nothing',
      filtersFirewall: true,
      ensuresMarkDrop: false,
      filterChains: [
        'KUBE-SERVICES',
        'KUBE-EXTERNAL-SERVICES',
        'KUBE-FORWARD',
        'KUBE-NODEPORTS',
        'KUBE-PROXY-FIREWALL',
      ],
      jumps: jumps125,
      parts: [
        'clusterIP',
        'externalIPs',
        'loadBalancerIPs',
        'nodePort',
        'healthCheck',
        'svcMasquerade',
        'ext',
        'fw',
        'svc',
        'svl',
        'sep',
      ],
      chainLines: ['EXT', 'FW', 'SVC', 'SVL', 'SEP'],
    },
  },
  {
    version: '1.26',
    evidence: 'recorded',
    origin: 'terminating endpoints as a last resort (KEP-1669); localhost node ports can be switched off',
    changes: { usesTerminating: true, honoursLocalhostNodePorts: true },
  },
  {
    version: '1.27',
    evidence: 'recorded',
    origin:
      'kube-proxy writes KUBE-FIREWALL itself; KUBE-FW ends with a comment; any value of the topology annotations counts',
    changes: {
      guardsLocalnet: true,
      firewallEnd: 'comment',
      hints: 'any',
      jumps: [
        ...jumps125.slice(0, -1),
        ...guardJumps,
        jump('nat', 'POSTROUTING', 'KUBE-POSTROUTING', 'kubernetes postrouting rules'),
      ],
    },
  },
  {
    version: '1.28',
    evidence: 'recorded',
    origin: 'the order of two jump calls is as before 1.27',
    changes: { jumps: [...jumps125, ...guardJumps] },
  },
  {
    version: '1.29',
    evidence: 'recorded',
    origin: 'no drop of INVALID packets where conntrack is liberal (nf_conntrack_tcp_be_liberal)',
    changes: { invalidDrop: 'unlessLiberal' },
  },
  {
    version: '1.30',
    evidence: 'recorded',
    origin: 'load-balancer addresses with ipMode Proxy get no rules; source ranges are printed as networks',
    changes: { honoursIpMode: true, masksSourceRanges: true },
  },
  {
    version: '1.31',
    evidence: 'described',
    origin: 'trafficDistribution: hints count without an annotation (ServiceTrafficDistribution on)',
    changes: { hints: 'always' },
  },
  {
    version: '1.32',
    evidence: 'described',
    origin: 'nfacct counters where the kernel has them (kubernetes#122812, kubernetes#125015)',
    changes: { countsInvalid: true, countsLocalhostNodePorts: true },
  },
  {
    version: '1.34',
    evidence: 'described',
    origin: 'nothing changed since 1.32 in what is written; the newest version that was read',
    changes: {},
  },
];
