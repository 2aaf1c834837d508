import type { NftablesDialect } from '../nftables/nftablesDialect.ts';
import { listSentence, type SentencesOf } from './axisSentences.ts';

/** What the axes of nftables mode mean, in sentences. */
export const nftablesSentences: SentencesOf<NftablesDialect> = {
  hooks: {
    isBehaviour: true,
    says: (after, before) => {
      const names = ({ baseChains }: NftablesDialect['hooks']) =>
        baseChains.map(({ name, priority }) => `${name} (priority ${priority})`);
      return listSentence('base chains', names(after), names(before));
    },
  },
  remakesBaseChains: {
    isBehaviour: false,
    says: {
      true: 'The first transaction deletes and remakes the base chains.',
      false: 'The first transaction adds to base chains that are there.',
    },
  },
  flushes: {
    isBehaviour: false,
    says: (after) =>
      after.length === 0
        ? 'The first transaction no longer empties the sets and maps: what they hold is read first.'
        : `The first transaction empties ${after.map(({ name }) => name).join(', ')}, in this order.`,
  },
  endpointChecks: {
    isBehaviour: false,
    says: {
      one: 'Chain endpoints-check refuses what has no endpoints.',
      perKind: 'Chains nodeport-endpoints-check and service-endpoints-check refuse what has no endpoints.',
    },
  },
  checksClusterIPs: {
    isBehaviour: true,
    says: {
      true: 'Traffic to a port of a cluster IP that no Service has is rejected, by set cluster-ips.',
      false: 'Traffic to a port of a cluster IP that no Service has is not looked at.',
    },
  },
  dropsUnallocated: {
    isBehaviour: true,
    says: {
      true: 'Traffic to an address of the ServiceCIDRs that no Service has is dropped, by a rule in cluster-ips-check.',
      false: 'Traffic to an address of the ServiceCIDRs that no Service has leaves by the default route.',
    },
  },
  sourceRanges: {
    isBehaviour: false,
    says: {
      elements: 'Source ranges are elements of set firewall-allow.',
      ruleAtChain:
        'Source ranges are one rule in a chain firewall-… of the service port, right behind its declaration.',
      ruleBehindExternal: 'The rule of the source ranges is written behind those of the external chain.',
    },
  },
  namesFirewallElements: {
    isBehaviour: false,
    says: {
      true: 'Elements of the firewall name their service port in a comment.',
      false: 'Elements of the firewall have no comment.',
    },
  },
  repeatsElements: {
    isBehaviour: true,
    says: {
      true: 'An element is written for each service port: where two Services claim one address, the kernel refuses all rules.',
      false: 'An element is written once: where two Services claim one address and port, the last one gets it.',
    },
  },
  interfaceMatch: {
    isBehaviour: true,
    says: {
      iif: 'Interfaces of Pods are matched by iif: a bridge must exist when rules are loaded, and a name prefix loads nothing.',
      iifname: 'Interfaces of Pods are matched by iifname: rules load without the interface, and prefixes work.',
    },
  },
  masqueradeMark: {
    isBehaviour: false,
    says: {
      chain: 'Packets are marked for masquerading by chain mark-for-masquerade.',
      inPlace: 'Packets are marked for masquerading by each rule itself; chain mark-for-masquerade is gone.',
    },
  },
  clusterIPMark: {
    isBehaviour: false,
    says: {
      addressAndPort: 'Chains of service ports mark traffic to their cluster IP by address and port.',
      address: 'Chains of service ports mark traffic to their cluster IP by its address alone.',
      services: 'Chain services marks traffic to all cluster IPs by one rule with set cluster-ips.',
    },
  },
  hairpin: {
    isBehaviour: false,
    says: {
      endpointChain: 'A Pod that reaches itself through its Service is marked in the chain of its endpoint.',
      set: 'A Pod that reaches itself through its Service is masqueraded by set hairpin-connections.',
    },
  },
  balance: {
    isBehaviour: false,
    says: {
      endpointChains: 'A random choice leads to a chain for each endpoint.',
      dnatMap: 'The random choice is a map in the DNAT rule; chains of endpoints remain for session affinity only.',
    },
  },
  namesSingleEndpoint: {
    isBehaviour: false,
    says: {
      true: 'The DNAT rule names a single endpoint.',
      false: 'A single endpoint is chosen as one of several is.',
    },
  },
  cutsComments: {
    isBehaviour: true,
    says: {
      true: 'Comments of elements are cut to 128 bytes.',
      false: 'A Service port whose name is longer than 128 bytes makes every sync fail: nft takes no longer comment.',
    },
  },
  localNodePorts: {
    isBehaviour: true,
    says: {
      none: 'Node ports never answer on loopback addresses, and nothing is written about it.',
      cleared: 'Node ports never answer on loopback addresses; the transaction deletes what a proxy of them left.',
      proxied:
        'kube-proxy itself answers for TCP node ports on loopback addresses where nodePortAddresses names them; others are rejected there.',
    },
  },
};
