import type { IptablesDialect, RejectChain } from '../iptables/iptablesDialect.ts';
import { type AxisSentences, listSentence, type SentencesOf } from './axisSentences.ts';

/** What the axes of iptables mode mean, in sentences. */
export const iptablesSentences: SentencesOf<IptablesDialect> = {
  probabilityDigits: {
    isBehaviour: false,
    says: (after) => `Probabilities are written with ${after === 5 ? 'five' : 'ten'} digits.`,
  },
  writesHostPrefix: {
    isBehaviour: false,
    says: {
      true: 'Addresses of Services are written with /32 or /128.',
      false: 'Addresses of Services are written without /32 and /128.',
    },
  },
  postrouting: {
    isBehaviour: true,
    says: {
      inline: 'Marked packets are masqueraded by a rule in POSTROUTING itself.',
      single: 'KUBE-POSTROUTING masquerades marked packets; the mark stays on them.',
      singleRandomFully: 'KUBE-POSTROUTING masquerades marked packets with --random-fully; the mark stays on them.',
      three:
        'KUBE-POSTROUTING takes the mark off before it masquerades, so that a packet that comes by again is not masqueraded twice (kubernetes#92035).',
    },
  },
  masqueradeMark: {
    isBehaviour: false,
    says: {
      inline: 'Every rule sets a fixed mark itself.',
      'set-xmark': 'KUBE-MARK-MASQ sets the mark with --set-xmark.',
      'or-mark': 'KUBE-MARK-MASQ sets the mark with --or-mark.',
    },
  },
  forward: {
    isBehaviour: true,
    says: {
      none: 'There is no chain KUBE-FORWARD.',
      cidrPair:
        'KUBE-FORWARD accepts marked packets, and known connections from and to the cluster CIDR, where one is set.',
      pair: 'KUBE-FORWARD accepts all known connections, by two rules that need no cluster CIDR.',
      one: 'KUBE-FORWARD accepts all known connections, by one rule.',
    },
  },
  guardsLocalnet: {
    isBehaviour: true,
    says: {
      true: 'kube-proxy itself writes KUBE-FIREWALL, which closes 127.0.0.0/8 to the network (CVE-2020-8558).',
      false: "KUBE-FIREWALL is kubelet's work.",
    },
  },
  balanceComment: {
    isBehaviour: false,
    says: {
      none: 'Balancing rules in KUBE-SVC have no comment.',
      servicePort: 'Balancing rules in KUBE-SVC name the service port in their comment.',
      endpoint: 'Balancing rules name the service port and the endpoint: "shop/web -> 10.244.1.7:8080".',
    },
  },
  endpointComment: {
    isBehaviour: false,
    says: {
      none: 'Rules in KUBE-SEP have no comment.',
      servicePort: 'Rules in KUBE-SEP name the service port in their comment.',
    },
  },
  localBalanceComment: {
    isBehaviour: false,
    says: {
      numbered: 'Balancing rules in KUBE-XLB are numbered in their comments.',
      servicePort: 'Balancing rules in KUBE-XLB name the service port in their comment.',
    },
  },
  largeClusterDropsComments: {
    isBehaviour: false,
    says: {
      never: 'Comments are written however large the cluster is.',
      'except xlb': 'Above 1000 endpoints the rules of endpoints have no comments, but for those in KUBE-XLB.',
      everywhere: 'Above 1000 endpoints the rules of endpoints have no comments.',
    },
  },
  clusterMasquerade: {
    isBehaviour: false,
    says: {
      services: 'Traffic to a cluster IP is marked for masquerading in KUBE-SERVICES.',
      svc: 'Traffic to cluster IPs and node ports is marked for masquerading in KUBE-SVC.',
      part: 'Traffic to a cluster IP is marked for masquerading in the first rule of KUBE-SVC or KUBE-SVL.',
    },
  },
  repeatsMasquerade: {
    isBehaviour: false,
    says: {
      true: 'With masqueradeAll the rule for traffic from outside the cluster is written all the same.',
      false: 'With masqueradeAll there is no further rule for traffic from outside the cluster.',
    },
  },
  external: {
    isBehaviour: false,
    says: {
      svc: 'External addresses lead straight to KUBE-SVC.',
      fw: 'Load-balancer IPs lead to KUBE-FW, which knows source ranges.',
      xlb: 'External traffic with policy Local passes KUBE-XLB.',
      ext: 'All external traffic passes KUBE-EXT, and policy Local leads on to KUBE-SVL; KUBE-XLB is gone. KUBE-FW exists only with source ranges.',
    },
  },
  externalIP: {
    isBehaviour: true,
    says: {
      physdev: 'Two rules for an external IP leave out traffic that comes over a bridge.',
      single: 'One rule leads to an external IP, for traffic from anywhere.',
    },
  },
  rejectClusterIP: rejects('a cluster IP'),
  rejectNodePort: rejects('a node port'),
  rejectExternalIP: rejects('an external IP'),
  rejectLoadBalancerIP: rejects('a load-balancer IP'),
  keepsNatWithoutEndpoints: {
    isBehaviour: false,
    says: {
      true: 'A Service without endpoints has nat rules all the same.',
      false: 'A Service without endpoints has no nat rules and no chains.',
    },
  },
  noLocalEndpoints: {
    isBehaviour: true,
    says: {
      'mark drop':
        'Traffic under a Local policy without endpoints on the node is marked in nat for dropping by kubelet.',
      'filter drop': 'Traffic under a Local policy without endpoints on the node is dropped in the filter table.',
    },
  },
  firewallEnd: {
    isBehaviour: false,
    says: {
      'mark drop': 'KUBE-FW ends with a jump to KUBE-MARK-DROP.',
      nothing: 'KUBE-FW ends with the source ranges.',
      comment: 'KUBE-FW ends with a rule that is only a comment.',
    },
  },
  filtersFirewall: {
    isBehaviour: true,
    says: {
      true: 'What no source range lets pass is dropped in filter KUBE-PROXY-FIREWALL.',
      false: 'What no source range lets pass is marked in KUBE-FW for dropping.',
    },
  },
  firewallLinePerIP: {
    isBehaviour: false,
    says: {
      true: 'The chain line of KUBE-FW is written once for each load-balancer IP.',
      false: 'The chain line of KUBE-FW is written once.',
    },
  },
  xlbLocalRules: {
    isBehaviour: false,
    says: {
      before: "In KUBE-XLB the rules for the node's own traffic stand before the one for Pods.",
      after: "In KUBE-XLB the rules for the node's own traffic stand behind the one for Pods.",
    },
  },
  xlbAffinity: {
    isBehaviour: true,
    says: {
      true: 'Session affinity works with policy Local too.',
      false: 'Session affinity does not work with policy Local.',
    },
  },
  hasHealthCheckRules: {
    isBehaviour: true,
    says: {
      true: 'Filter KUBE-NODEPORTS accepts health checks of load balancers.',
      false: 'Health checks of load balancers have no rules.',
    },
  },
  ensuresMarkDrop: {
    isBehaviour: false,
    says: {
      true: 'The empty chain KUBE-MARK-DROP is made, where kubelet has not made it.',
      false: 'The chain KUBE-MARK-DROP is not made.',
    },
  },
  hasCanary: {
    isBehaviour: true,
    says: {
      true: 'Empty chains KUBE-PROXY-CANARY show whether the tables were flushed.',
      false: 'Flushed tables are not noticed.',
    },
  },
  filterChains: {
    isBehaviour: false,
    says: (after, before) => listSentence('filter chains', after, before),
  },
  natChains: {
    isBehaviour: false,
    says: (after, before) => listSentence('nat chains', after, before),
  },
  jumps: {
    isBehaviour: true,
    says: (after, before) => {
      const names = (jumps: IptablesDialect['jumps']) =>
        jumps.map(
          ({ table, from, to, onlyNew }) => `${table} ${from} to ${to}${onlyNew ? ' for new connections' : ''}`,
        );
      return listSentence('jumps from built-in chains', names(after), names(before));
    },
  },
  parts: {
    isBehaviour: false,
    says: () => "The order of a service port's rules in the text for iptables-restore changes.",
  },
  chainLines: {
    isBehaviour: false,
    says: () => "The order of a service port's chain lines in the text for iptables-restore changes.",
  },
  countsInvalid: {
    isBehaviour: false,
    says: {
      true: 'Where the kernel has nfacct, dropped INVALID packets are counted as ct_state_invalid_dropped_pkts.',
      false: 'Dropped INVALID packets are not counted.',
    },
  },
  countsLocalhostNodePorts: {
    isBehaviour: false,
    says: {
      true: 'Where the kernel has nfacct, traffic to node ports on 127.0.0.0/8 is counted as localhost_nps_accepted_pkts.',
      false: 'Traffic to node ports on 127.0.0.0/8 is not counted.',
    },
  },
};

function rejects(address: string): AxisSentences<RejectChain> {
  return {
    isBehaviour: true,
    says: {
      none: `Traffic to ${address} without endpoints is not answered.`,
      'KUBE-SERVICES': `Traffic to ${address} without endpoints is rejected in filter KUBE-SERVICES.`,
      'KUBE-EXTERNAL-SERVICES': `Traffic to ${address} without endpoints is rejected in filter KUBE-EXTERNAL-SERVICES.`,
    },
  };
}
