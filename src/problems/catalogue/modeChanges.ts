import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import { entriesOf, type ProblemEntry } from '../problemEntry.ts';

/** A difference that modes of kube-proxy are known for, as `migrate` and `diff --compare behaviour` name it. */
export interface ModeChange extends Pick<ProblemEntry, 'what' | 'fix'> {
  readonly title: string;
  /** What each mode does; `any`: why, whatever the modes. */
  readonly says: Readonly<Partial<Record<ProxyMode | 'any', string>>>;
}

const nothingToDo = 'Nothing to do, unless clients count on what the old mode does.';

/** By code, in the order in which they are asked for. */
export const modeChanges = /* @__PURE__ */ entriesOf<ModeChange>()({
  ping: {
    title: "ping of a Service's address",
    what: 'an ICMP packet to an address of a Service ends differently',
    says: {
      iptables: 'In iptables mode nothing answers a ping: the packet leaves the node for the address itself.',
      ipvs: "In IPVS mode the address is the node's own, and the node answers, unless kube-proxy's filter refuses it.",
      nftables: 'In nftables mode what is sent to a cluster IP on a port it does not have is refused, even a ping.',
    },
    fix: 'Monitoring that pings Service addresses should open a connection to a port instead.',
  },
  'unused-port': {
    title: "port or protocol that a Service's address does not have",
    what: "a packet to a port or protocol that a Service's address does not have ends differently",
    says: {
      iptables:
        'In iptables mode no rule asks for it: the packet leaves the node for the address itself, and clients wait.',
      ipvs: "In IPVS mode the address is the node's own: from 1.26 on kube-proxy's filter refuses it, before that a process of the node that listens there answers.",
      nftables:
        'In nftables mode it is refused at a cluster IP, so that clients fail at once; at other addresses no rule asks for it.',
    },
    fix: nothingToDo,
  },
  unallocated: {
    title: 'address in the range of cluster IPs that no Service has',
    what: 'a packet to an address of the range of cluster IPs that no Service has ends differently',
    says: {
      iptables: 'In iptables mode no rule asks for it: the packet leaves by the default route.',
      ipvs: 'In IPVS mode no rule asks for it: the packet leaves by the default route.',
      nftables:
        "In nftables mode, from 1.33 on, packets to addresses of the cluster's ServiceCIDRs that no Service has are dropped, and clients wait.",
    },
    fix: 'Look for machines outside the cluster whose addresses are in the range of cluster IPs: Pods cannot reach them after the switch.',
  },
  'node-port-localhost': {
    title: 'node port on 127.0.0.1 or ::1',
    what: 'a node port answers on a loopback address in one mode only',
    says: {
      iptables: 'In iptables mode node ports answer on 127.0.0.1 (route_localnet), on ::1 never.',
      ipvs: 'In IPVS mode node ports do not answer on loopback addresses.',
      nftables: 'In nftables mode node ports do not answer on loopback addresses.',
    },
    fix: "Let processes of the node use one of the node's addresses instead of localhost.",
  },
  'node-port-address': {
    title: 'node port on another address of the node than its first',
    what: 'a node port answers on an address of the node in one mode only',
    says: {
      iptables:
        'In iptables mode node ports answer on all addresses of the node, unless nodePortAddresses says otherwise.',
      ipvs: 'In IPVS mode node ports answer on all addresses of the node that are not on kube-ipvs0, unless nodePortAddresses says otherwise.',
      nftables:
        "In nftables mode they answer on the node's primary addresses only, unless nodePortAddresses says otherwise.",
    },
    fix: 'To keep them on all addresses, set nodePortAddresses to 0.0.0.0/0 and ::/0 before the switch; to keep them on the primary address, set it to that address (from 1.31 on `primary`).',
  },
  'remote-hairpin': {
    title: 'endpoint on another node that gets to itself',
    what: 'an endpoint on another node that gets to itself sees another source',
    says: {
      any: 'The answer of an endpoint to itself passes this node only if its source was translated.',
      iptables: 'In iptables mode packets of any endpoint to itself are masqueraded.',
      ipvs: 'In IPVS mode those of endpoints on this node are (KUBE-LOOP-BACK); others keep their source.',
      nftables:
        'In nftables mode packets of any endpoint to itself are masqueraded, from 1.36 on only those of endpoints on this node.',
    },
    fix: nothingToDo,
  },
  'masquerade-address': {
    title: 'address that masqueraded packets get',
    what: 'a masqueraded packet gets another address of the node',
    says: {
      any: 'Both modes masquerade; the kernel chooses another source address.',
      ipvs: "In IPVS mode addresses of Services are the node's own: over IPv6 the kernel may choose one of them as the source of what it masquerades, and what leaves the node by itself to such an address has that address as its source.",
    },
    fix: 'Look at firewalls and NetworkPolicies that allow the node by its address.',
  },
  masquerade: {
    title: "who sees the client's own address",
    what: "endpoints see the client's own address in one mode only",
    says: {
      any: 'Only one of the modes masquerades here: behind it endpoints see an address of the node instead of that of the client.',
      ipvs: 'In IPVS mode the node sends to an address of a Service from that very address, and masquerades it towards cluster IPs.',
    },
    fix: 'Look at endpoints that log or allow clients by their address.',
  },
  affinity: {
    title: 'how long a client stays with its endpoint',
    what: 'a client stays with its endpoint in another way',
    says: {
      iptables: 'iptables mode remembers clients in a list for each endpoint (xt_recent).',
      ipvs: 'IPVS remembers them in persistence templates, which live as long as a connection does at least.',
      nftables: 'nftables mode remembers them in sets with a timeout.',
      any: 'What one mode remembers is unknown to the other: with the switch each client is assigned an endpoint once more.',
    },
    fix: nothingToDo,
  },
  'internal-local': {
    title: 'internalTrafficPolicy Local',
    what: 'a packet to the cluster IP of a Service with internalTrafficPolicy Local ends differently',
    says: {
      any: 'The node has no endpoint of the Service.',
      iptables: 'iptables mode then drops what is sent to the cluster IP.',
      ipvs: 'IPVS mode then sends it to endpoints of other nodes, or refuses it if there are none at all.',
      nftables: 'nftables mode then drops what is sent to the cluster IP.',
    },
    fix: nothingToDo,
  },
  'external-and-balancer': {
    title: "address that is external and a load balancer's at once, with source ranges",
    what: 'loadBalancerSourceRanges hold in one mode only, because the address is in externalIPs too',
    says: {
      iptables: 'In iptables mode the rule of the external IP comes first: loadBalancerSourceRanges do not hold.',
      nftables: 'In nftables mode loadBalancerSourceRanges hold.',
    },
    fix: 'Drop the address from externalIPs if the ranges are to hold.',
  },
  'no-endpoints-from-node': {
    title: 'load-balancer or external IP without endpoints, from the node itself',
    what: 'a packet of the node itself to an external address of a Service without endpoints ends differently',
    says: {
      iptables:
        'In iptables mode such packets of the node leave by the default route: only traffic from elsewhere is refused.',
      ipvs: 'In IPVS mode a virtual server without servers refuses them.',
      nftables: 'In nftables mode they are refused.',
    },
    fix: nothingToDo,
  },
  'ranges-without-endpoints': {
    title: 'source ranges of a Service without endpoints',
    what: 'a client outside the source ranges of a Service without endpoints is refused in one mode and waits in the other',
    says: {
      iptables: 'In iptables mode a Service without endpoints refuses everybody.',
      ipvs: 'In IPVS mode a client outside loadBalancerSourceRanges is dropped, whether there are endpoints or not.',
      nftables:
        'In nftables mode a client outside loadBalancerSourceRanges is dropped, whether there are endpoints or not.',
    },
    fix: nothingToDo,
  },
  'source-ranges-one-side': {
    title: 'loadBalancerSourceRanges that hold in one mode only',
    what: 'a client that the source ranges leave out is answered in one mode',
    says: {
      iptables: 'iptables mode asks for the ranges before it translates.',
      ipvs: 'IPVS mode asks for the ranges in the filter, and knows the address of the Service there.',
      nftables:
        'nftables mode asks for the ranges before it translates; in 1.29 it asks afterwards, where no forwarded packet has the address of the Service any more, so the ranges stop nothing that is forwarded.',
    },
    fix: 'If clients get in that were kept out, go to a version in which the ranges hold, or keep them out by a firewall in front of the node, before the switch. If clients lose their answer, see whether any of them is needed.',
  },
  'external-local-inside': {
    title: 'externalTrafficPolicy Local, from inside the cluster',
    what: 'a packet from inside the cluster to an external address of a Service with externalTrafficPolicy Local ends differently',
    says: {
      any: 'externalTrafficPolicy Local keeps traffic from outside on the node; what Pods and the node itself get differs by mode.',
      iptables: 'In iptables mode they get to all endpoints of the cluster.',
      ipvs: 'In IPVS mode they get to endpoints of this node; if it has none, to all others.',
      nftables:
        'In nftables mode they get to all endpoints too, but through 1.33 the node itself is dropped where the node has none, and from 1.33.6 and 1.34 on Pods as well.',
    },
    fix: nothingToDo,
  },
  'external-local-outside': {
    title: 'externalTrafficPolicy Local, from outside',
    what: 'a packet from outside to a node without endpoints of a Service with externalTrafficPolicy Local ends differently',
    says: {
      any: 'The node has no endpoint of the Service, or only such as are shutting down.',
      iptables: 'iptables mode then drops what comes from outside.',
      ipvs: 'IPVS mode then sends it to endpoints of other nodes.',
      nftables: 'nftables mode then drops what comes from outside.',
    },
    fix: 'Let the load balancer ask the health-check node port, so that it leaves such nodes out.',
  },
  'source-ranges': {
    title: 'loadBalancerSourceRanges',
    what: 'loadBalancerSourceRanges let other clients pass',
    says: {
      iptables: 'iptables mode asks for the ranges in rules of the Service.',
      ipvs: 'IPVS mode keeps them in ipsets, which cannot hold a range of everything (0.0.0.0/0).',
      nftables: 'nftables mode asks for them before it translates.',
    },
    fix: nothingToDo,
  },
  balance: {
    title: 'shares of endpoints',
    what: 'endpoints get other shares of the connections',
    says: {
      iptables: 'iptables mode chooses at random.',
      ipvs: 'IPVS mode leaves it to its scheduler, on each node by itself.',
      nftables: 'nftables mode chooses at random.',
    },
    fix: nothingToDo,
  },
  refusal: {
    title: 'how a refusal looks to the client',
    what: 'clients are refused in both modes, with another error',
    says: { any: 'Clients fail in both modes, with another error.' },
    fix: nothingToDo,
  },
});

export type ModeChangeCode = keyof typeof modeChanges;

/** A mode change in the format of all problems. */
export function modeChangeEntry({ title, what, says, fix }: ModeChange): ProblemEntry {
  return { severity: 'info', title, what, why: Object.values(says).join(' '), fix };
}
