import type { IpvsDialect } from '../ipvs/ipvsDialect.ts';
import { ipvsSets } from '../ipvs/ipvsSets.ts';
import { listSentence, type SentencesOf } from './axisSentences.ts';

/** What the axes of IPVS mode mean, in sentences. */
export const ipvsSentences: SentencesOf<IpvsDialect> = {
  sets: {
    isBehaviour: false,
    says: (after, before) => listSentence('sets', setNames(after), setNames(before)),
  },
  namesIPv6Sets: {
    isBehaviour: false,
    says: {
      true: 'Sets of IPv6 are named KUBE-6-….',
      false: 'Sets of IPv6 have the names of those of IPv4.',
    },
  },
  natChains: {
    isBehaviour: false,
    says: (after, before) => listSentence('nat chains', after, before),
  },
  filterChains: {
    isBehaviour: false,
    says: (after, before) => listSentence('filter chains', after, before),
  },
  ensuresMarkDrop: {
    isBehaviour: false,
    says: {
      true: 'The empty chain KUBE-MARK-DROP is made before all others, where kubelet has not made it.',
      false: 'The chain KUBE-MARK-DROP is not made first.',
    },
  },
  natChainLines: {
    isBehaviour: false,
    says: {
      own: 'Every nat chain has its own chain line in the first text.',
      allPostrouting: 'All nat chains have the chain line of KUBE-POSTROUTING in the first text.',
    },
  },
  jumps: {
    isBehaviour: false,
    says: (after, before) => {
      const names = (jumps: IpvsDialect['jumps']) => jumps.map(({ table, from, to }) => `${table} ${from} to ${to}`);
      return listSentence('jumps from built-in chains', names(after), names(before));
    },
  },
  natParts: {
    isBehaviour: true,
    says: (after, before) => {
      const parts = (list: IpvsDialect['natParts']) => list.map((part) => natRules[part]);
      return listSentence('nat rules', parts(after), parts(before));
    },
  },
  filterParts: {
    isBehaviour: true,
    says: (after, before) => {
      const parts = (list: IpvsDialect['filterParts']) => list.map((part) => filterRules[part]);
      return listSentence('filter rules', parts(after), parts(before));
    },
  },
  postrouting: {
    isBehaviour: true,
    says: {
      single: 'One rule masquerades marked packets; the mark stays on them.',
      singleRandomFully: 'One rule masquerades marked packets with --random-fully; the mark stays on them.',
      three:
        'The mark is taken off before a packet is masqueraded, so that one that comes by again is not masqueraded twice (kubernetes#92035).',
    },
  },
  forward: {
    isBehaviour: true,
    says: {
      cidrPair: 'KUBE-FORWARD lets known connections from and to the cluster CIDR pass, where one is set.',
      pair: 'KUBE-FORWARD lets all known connections pass, by two rules that need no cluster CIDR.',
      one: 'KUBE-FORWARD lets all known connections pass, by one rule.',
    },
  },
  sctpNodePorts: {
    isBehaviour: true,
    says: {
      bitmap: 'SCTP node ports are a bitmap in KUBE-SERVICES and are never masqueraded.',
      generalFirst: 'SCTP node ports are matched by address and port; policy Local of theirs has no effect.',
      localFirst: 'Policy Local of SCTP node ports works as that of TCP and UDP.',
    },
  },
  passesAccessFilter: {
    isBehaviour: true,
    says: (after, before) => listSentence('sets that pass KUBE-IPVS-FILTER', setNames(after), setNames(before)),
  },
  bindsOwnAddresses: {
    isBehaviour: true,
    says: {
      true: "An external address that is the node's own is bound to kube-ipvs0 too.",
      false: "An external address that is the node's own is not bound to kube-ipvs0.",
    },
  },
  opensLoopbackNodePorts: {
    isBehaviour: true,
    says: {
      true: 'Node ports are open on loopback addresses that nodePortAddresses names.',
      false: 'Node ports are never open on loopback addresses.',
    },
  },
  setsTimeouts: {
    isBehaviour: true,
    says: {
      true: 'Timeouts of IPVS connections can be configured.',
      false: "Timeouts of IPVS connections are the kernel's.",
    },
  },
  routesLocalnet: {
    isBehaviour: true,
    says: {
      true: 'The kernel setting route_localnet is turned on.',
      false: 'The kernel setting route_localnet is left alone.',
    },
  },
  strictARP: {
    isBehaviour: true,
    says: {
      always: 'ARP is always strict (arp_ignore 1, arp_announce 2).',
      configured: 'ARP is strict only where ipvs.strictARP is set.',
    },
  },
};

function setNames(keys: IpvsDialect['sets']): readonly string[] {
  return keys.map((key) => ipvsSets[key].name);
}

const natRules: Readonly<Record<IpvsDialect['natParts'][number], string>> = {
  skipLoopback: 'clients on loopback addresses are let alone',
  masquerade: 'masquerading of marked packets',
  hairpin: 'masquerading of Pods that reach themselves',
  loadBalancer: 'load balancers',
  sourceRanges: 'source ranges in nat KUBE-FIREWALL',
  loadBalancerLocal: 'load balancers with policy Local',
  nodePorts: 'node ports',
  clusterIP: 'cluster IPs',
  externalIPs: 'external IPs',
  toNodePorts: 'the way to KUBE-NODE-PORT',
  markLoadBalancer: 'masquerading of load-balancer traffic',
  dropRefused: 'the drop of what no source range lets pass, in nat',
  accept: 'acceptance of addresses of Services',
};

const filterRules: Readonly<Record<IpvsDialect['filterParts'][number], string>> = {
  firewall: 'source ranges in KUBE-PROXY-FIREWALL',
  ownTraffic: "source ranges for the node's own packets",
  forward: 'forwarding',
  healthCheck: 'health-check node ports',
  accessFilter: 'KUBE-IPVS-FILTER, which closes addresses of Services to what else listens on the node',
};
