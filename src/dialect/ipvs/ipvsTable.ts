import type { DialectTable } from '../dialectTable.ts';
import type { IpvsDialect, IpvsJump, NatPart } from './ipvsDialect.ts';
import type { SetKey } from './ipvsSets.ts';

const natChains = [
  'KUBE-SERVICES',
  'KUBE-POSTROUTING',
  'KUBE-FIREWALL',
  'KUBE-NODE-PORT',
  'KUBE-LOAD-BALANCER',
  'KUBE-MARK-MASQ',
];

const jumps: readonly IpvsJump[] = [
  { table: 'nat', from: 'OUTPUT', to: 'KUBE-SERVICES', comment: 'kubernetes service portals' },
  { table: 'nat', from: 'PREROUTING', to: 'KUBE-SERVICES', comment: 'kubernetes service portals' },
  { table: 'nat', from: 'POSTROUTING', to: 'KUBE-POSTROUTING', comment: 'kubernetes postrouting rules' },
  { table: 'filter', from: 'FORWARD', to: 'KUBE-FORWARD', comment: 'kubernetes forwarding rules' },
];
const healthCheckJump: IpvsJump = {
  table: 'filter',
  from: 'INPUT',
  to: 'KUBE-NODE-PORT',
  comment: 'kubernetes health check rules',
};
const firewallJumps: readonly IpvsJump[] = [
  { table: 'filter', from: 'INPUT', to: 'KUBE-PROXY-FIREWALL', comment: 'kube-proxy firewall rules' },
  { table: 'filter', from: 'FORWARD', to: 'KUBE-PROXY-FIREWALL', comment: 'kube-proxy firewall rules' },
];
const accessJump: IpvsJump = {
  table: 'filter',
  from: 'INPUT',
  to: 'KUBE-IPVS-FILTER',
  comment: 'kubernetes ipvs access filter',
};

const loadBalancerSets: readonly SetKey[] = [
  'loadBalancer',
  'loadBalancerFirewall',
  'loadBalancerLocal',
  'loadBalancerSourceIP',
  'loadBalancerSourceCIDR',
  'nodePortTCP',
  'nodePortLocalTCP',
  'nodePortUDP',
  'nodePortLocalUDP',
];
const sctpHashes: readonly SetKey[] = ['nodePortSCTPHash', 'nodePortLocalSCTPHash'];
const sets118: readonly SetKey[] = [
  'loopBack',
  'clusterIP',
  'externalIP',
  'externalIPLocal',
  ...loadBalancerSets,
  ...sctpHashes,
];

const setParts: readonly NatPart[] = ['hairpin', 'loadBalancer', 'sourceRanges', 'loadBalancerLocal', 'nodePorts'];
const lastParts: readonly NatPart[] = ['clusterIP', 'externalIPs', 'toNodePorts', 'markLoadBalancer'];
const masqueradeLast: readonly NatPart[] = [...setParts, ...lastParts, 'dropRefused', 'accept', 'masquerade'];
const natParts125: readonly NatPart[] = [
  'hairpin',
  'loadBalancer',
  'loadBalancerLocal',
  'nodePorts',
  ...lastParts,
  'accept',
  'masquerade',
];

/** Every version that changed what IPVS mode writes. Older ones are not known. */
export const ipvsTable: DialectTable<IpvsDialect> = {
  // KEP-5495.
  deprecatedIn: '1.35',
  base: {
    sets: ['loopBack', 'clusterIP', 'externalIP', ...loadBalancerSets, 'nodePortSCTP', 'nodePortLocalSCTP'],
    namesIPv6Sets: false,
    natChains,
    filterChains: ['KUBE-FORWARD'],
    ensuresMarkDrop: false,
    natChainLines: 'allPostrouting',
    jumps,
    natParts: ['masquerade', ...setParts, ...lastParts, 'dropRefused', 'accept'],
    filterParts: ['forward'],
    postrouting: 'single',
    forward: 'cidrPair',
    sctpNodePorts: 'bitmap',
    passesAccessFilter: [],
    bindsOwnAddresses: true,
    opensLoopbackNodePorts: true,
    setsTimeouts: false,
    routesLocalnet: true,
    strictARP: 'always',
  },
  bareMinor: 'firstPatch',
  rows: [
    {
      version: '1.14',
      evidence: 'recorded',
      origin: 'the oldest version that is known: sets of every kind of address, source ranges in nat KUBE-FIREWALL',
      changes: {},
    },
    {
      version: '1.14.2',
      evidence: 'described',
      origin: 'strict ARP only where it is configured',
      changes: { strictARP: 'configured' },
    },
    {
      version: '1.16',
      evidence: 'recorded',
      origin:
        'IPv6 sets have names of their own; SCTP node ports by address and port; MASQUERADE --random-fully; the chain KUBE-MARK-DROP is made',
      changes: {
        sets: ['loopBack', 'clusterIP', 'externalIP', ...loadBalancerSets, ...sctpHashes],
        namesIPv6Sets: true,
        natChains: [...natChains, 'KUBE-MARK-DROP'],
        postrouting: 'singleRandomFully',
        sctpNodePorts: 'generalFirst',
      },
    },
    {
      version: '1.16.13',
      isBranch: true,
      evidence: 'described',
      origin: 'July 2020 patch release: three rules in KUBE-POSTROUTING (kubernetes#92035)',
      changes: { natParts: masqueradeLast, postrouting: 'three' },
    },
    {
      version: '1.17.9',
      isBranch: true,
      evidence: 'described',
      origin: 'July 2020 patch release: three rules in KUBE-POSTROUTING (kubernetes#92035)',
      changes: { natParts: masqueradeLast, postrouting: 'three' },
    },
    {
      version: '1.18',
      evidence: 'recorded',
      origin:
        'the set KUBE-EXTERNAL-IP-LOCAL, still empty; the conntrack rules of KUBE-FORWARD need no cluster CIDR; timeouts of connections can be configured',
      changes: { sets: sets118, forward: 'pair', setsTimeouts: true },
    },
    {
      version: '1.18.6',
      evidence: 'recorded',
      origin: 'three rules in KUBE-POSTROUTING, behind all others (kubernetes#92035)',
      changes: { natParts: masqueradeLast, postrouting: 'three' },
    },
    {
      version: '1.20',
      evidence: 'recorded',
      origin: 'dual-stack; KUBE-MARK-DROP is made first and has no chain line',
      changes: { natChains, ensuresMarkDrop: true },
    },
    {
      version: '1.21',
      evidence: 'recorded',
      origin: 'filter KUBE-NODE-PORT accepts health checks; every chain has its own chain line; no route_localnet',
      changes: {
        sets: [...sets118, 'healthCheckNodePort'],
        filterChains: ['KUBE-FORWARD', 'KUBE-NODE-PORT'],
        natChainLines: 'own',
        jumps: [...jumps, healthCheckJump],
        filterParts: ['forward', 'healthCheck'],
        routesLocalnet: false,
      },
    },
    {
      version: '1.22',
      evidence: 'recorded',
      origin: 'no node port on a loopback address',
      changes: { opensLoopbackNodePorts: false },
    },
    {
      version: '1.23',
      evidence: 'recorded',
      origin: 'one conntrack rule in KUBE-FORWARD; policy Local of SCTP node ports works',
      changes: { forward: 'one', sctpNodePorts: 'localFirst' },
    },
    {
      version: '1.25',
      evidence: 'recorded',
      origin: 'source ranges move to filter KUBE-PROXY-FIREWALL; nothing needs KUBE-MARK-DROP any more',
      changes: {
        natChains: natChains.filter((chain) => chain !== 'KUBE-FIREWALL'),
        filterChains: ['KUBE-FORWARD', 'KUBE-NODE-PORT', 'KUBE-PROXY-FIREWALL', 'KUBE-SOURCE-RANGES-FIREWALL'],
        ensuresMarkDrop: false,
        jumps: [...jumps, healthCheckJump, ...firewallJumps],
        natParts: natParts125,
        filterParts: ['firewall', 'forward', 'healthCheck'],
      },
    },
    {
      version: '1.26',
      evidence: 'recorded',
      origin:
        'KUBE-IPVS-FILTER and the set KUBE-IPVS-IPS close the addresses of Services to what else listens on the node (kubernetes#72236); loopback clients are left alone',
      changes: {
        sets: [...sets118, 'healthCheckNodePort', 'ipvsIPs'],
        filterChains: [
          'KUBE-FORWARD',
          'KUBE-NODE-PORT',
          'KUBE-PROXY-FIREWALL',
          'KUBE-SOURCE-RANGES-FIREWALL',
          'KUBE-IPVS-FILTER',
        ],
        jumps: [...jumps, healthCheckJump, ...firewallJumps, accessJump],
        natParts: ['skipLoopback', ...natParts125],
        filterParts: ['firewall', 'forward', 'healthCheck', 'accessFilter'],
        passesAccessFilter: ['loadBalancer', 'clusterIP', 'externalIP'],
      },
    },
    {
      version: '1.28',
      evidence: 'recorded',
      origin: 'health checks pass KUBE-IPVS-FILTER; addresses of the node are not bound to kube-ipvs0',
      changes: {
        passesAccessFilter: ['loadBalancer', 'clusterIP', 'externalIP', 'healthCheckNodePort'],
        bindsOwnAddresses: false,
      },
    },
    {
      version: '1.29',
      evidence: 'recorded',
      origin: "KUBE-IPVS-OUT-FILTER: source ranges hold for the node's own packets",
      changes: {
        filterChains: [
          'KUBE-FORWARD',
          'KUBE-NODE-PORT',
          'KUBE-PROXY-FIREWALL',
          'KUBE-SOURCE-RANGES-FIREWALL',
          'KUBE-IPVS-FILTER',
          'KUBE-IPVS-OUT-FILTER',
        ],
        jumps: [
          ...jumps,
          healthCheckJump,
          ...firewallJumps,
          accessJump,
          { table: 'filter', from: 'OUTPUT', to: 'KUBE-IPVS-OUT-FILTER', comment: 'kubernetes ipvs access filter' },
        ],
        filterParts: ['firewall', 'ownTraffic', 'forward', 'healthCheck', 'accessFilter'],
      },
    },
    {
      version: '1.30',
      evidence: 'recorded',
      origin: 'external IPs with policy Local pass KUBE-IPVS-FILTER',
      changes: {
        passesAccessFilter: ['loadBalancer', 'clusterIP', 'externalIP', 'externalIPLocal', 'healthCheckNodePort'],
      },
    },
  ],
};
