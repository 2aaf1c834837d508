import { modeFacts } from '../../common/modeFacts.ts';
import type { ProxyMode } from '../../common/proxyMode.ts';
import type { BehaviourFinding } from '../behaviourFinding.ts';
import type { Distribution } from '../outcome/distribution.ts';
import type { AddressKind } from '../packets/destinationNames.ts';
import { isStoppedByRanges } from './isStoppedByRanges.ts';
import type { ServiceTraits } from './serviceTraits.ts';

/** A difference between two modes, and what is known of its Service. */
export interface Change {
  readonly finding: BehaviourFinding;
  readonly from: ProxyMode;
  readonly to: ProxyMode;
  /** Words of both outcomes. */
  readonly before: string;
  readonly after: string;
  readonly isLoopback: boolean;
  readonly traits: ServiceTraits | undefined;
}

/** A difference that modes are known for. */
export interface ChangeKind {
  readonly id: string;
  readonly title: string;
  /** What each mode does; `any`: why, whatever the modes. */
  readonly says: Readonly<Partial<Record<ProxyMode | 'any', string>>>;
  readonly advice?: (change: Change) => string | undefined;
  readonly is: (change: Change) => boolean;
}

const icmp: ReadonlySet<number> = new Set([1, 58]);
const virtual: ReadonlySet<AddressKind> = new Set(['clusterIP', 'loadBalancerIP', 'externalIP']);
const balanced: ReadonlySet<AddressKind> = new Set(['loadBalancerIP', 'externalIP']);

/** Source ranges that let somebody in before or after a change whom they keep out otherwise. */
export const oneSidedRanges = 'source-ranges-one-side';

/** All kinds that are known between iptables, IPVS and nftables mode. The first that fits counts. */
export const changeKinds: readonly ChangeKind[] = [
  {
    id: 'ping',
    title: "ping of a Service's address",
    says: {
      iptables: 'In iptables mode nothing answers a ping: the packet leaves the node for the address itself.',
      ipvs: "In IPVS mode the address is the node's own, and the node answers, unless kube-proxy's filter refuses it.",
      nftables: 'In nftables mode what is sent to a cluster IP on a port it does not have is refused, even a ping.',
    },
    advice: () => 'Monitoring that pings Service addresses should open a connection to a port instead.',
    is: ({ finding }) => isUnusedPort(finding) && finding.protocols.every((protocol) => icmp.has(protocol)),
  },
  {
    id: 'unused-port',
    title: "port or protocol that a Service's address does not have",
    says: {
      iptables:
        'In iptables mode no rule asks for it: the packet leaves the node for the address itself, and clients wait.',
      ipvs: "In IPVS mode the address is the node's own: from 1.26 on kube-proxy's filter refuses it, before that a process of the node that listens there answers.",
      nftables:
        'In nftables mode it is refused at a cluster IP, so that clients fail at once; at other addresses no rule asks for it.',
    },
    is: ({ finding }) => isUnusedPort(finding),
  },
  {
    id: 'unallocated',
    title: 'address in the range of cluster IPs that no Service has',
    says: {
      iptables: 'In iptables mode no rule asks for it: the packet leaves by the default route.',
      ipvs: 'In IPVS mode no rule asks for it: the packet leaves by the default route.',
      nftables:
        "In nftables mode, from 1.33 on, packets to addresses of the cluster's ServiceCIDRs that no Service has are dropped, and clients wait.",
    },
    advice: ({ to }) =>
      modeFacts[to].dropsUnallocated
        ? 'Look for machines outside the cluster whose addresses are in the range of cluster IPs: Pods cannot reach them after the switch.'
        : undefined,
    is: ({ finding: { name, destination }, from, to, before, after }) =>
      name.service === undefined &&
      destination.use === 'other' &&
      (modeFacts[from].dropsUnallocated ? before : modeFacts[to].dropsUnallocated ? after : '') === 'dropped',
  },
  {
    id: 'node-port-localhost',
    title: 'node port on 127.0.0.1 or ::1',
    says: {
      iptables: 'In iptables mode node ports answer on 127.0.0.1 (route_localnet), on ::1 never.',
      ipvs: 'In IPVS mode node ports do not answer on loopback addresses.',
      nftables: 'In nftables mode node ports do not answer on loopback addresses.',
    },
    advice: ({ from }) =>
      modeFacts[from].opensLocalhost
        ? "Let processes of the node use one of the node's addresses instead of localhost."
        : undefined,
    is: ({ finding: { name, destination }, isLoopback }) =>
      isLoopback && destination.use === 'port' && name.kind === 'nodePort',
  },
  {
    id: 'node-port-address',
    title: 'node port on another address of the node than its first',
    says: {
      iptables:
        'In iptables mode node ports answer on all addresses of the node, unless nodePortAddresses says otherwise.',
      ipvs: 'In IPVS mode node ports answer on all addresses of the node that are not on kube-ipvs0, unless nodePortAddresses says otherwise.',
      nftables:
        "In nftables mode they answer on the node's primary addresses only, unless nodePortAddresses says otherwise.",
    },
    advice: ({ to }) =>
      modeFacts[to].nodePortsByDefault === 'primaryAddress'
        ? 'To keep them on all addresses, set nodePortAddresses to 0.0.0.0/0 and ::/0 before the switch.'
        : 'To keep them on the primary address, set nodePortAddresses (from 1.31 on `primary`) before the switch.',
    is: ({ finding: { name, destination }, before, after }) =>
      destination.use === 'port' &&
      (name.kind === 'nodePort' || name.kind === 'node') &&
      (before === 'comes to the node') !== (after === 'comes to the node'),
  },
  {
    id: 'remote-hairpin',
    title: 'endpoint on another node that gets to itself',
    says: {
      any: 'The answer of an endpoint to itself passes this node only if its source was translated.',
      iptables: 'In iptables mode packets of any endpoint to itself are masqueraded.',
      ipvs: 'In IPVS mode those of endpoints on this node are (KUBE-LOOP-BACK); others keep their source.',
      nftables:
        'In nftables mode packets of any endpoint to itself are masqueraded, from 1.36 on only those of endpoints on this node.',
    },
    is: ({ finding: { entrance }, before, after }) =>
      entrance === 'remote-endpoint' && isSource(before) && isSource(after),
  },
  {
    id: 'masquerade-address',
    title: 'address that masqueraded packets get',
    says: {
      any: 'Both modes masquerade; the kernel chooses another source address.',
      ipvs: "In IPVS mode addresses of Services are the node's own: over IPv6 the kernel may choose one of them as the source of what it masquerades, and what leaves the node by itself to such an address has that address as its source.",
    },
    advice: () => 'Look at firewalls and NetworkPolicies that allow the node by its address.',
    is: ({ finding: { a, b }, after }) => after === 'other shares' && sourcesOf(a) !== sourcesOf(b),
  },
  {
    id: 'masquerade',
    title: "who sees the client's own address",
    says: {
      any: 'Only one of the modes masquerades here: behind it endpoints see an address of the node instead of that of the client.',
      ipvs: 'In IPVS mode the node sends to an address of a Service from that very address, and masquerades it towards cluster IPs.',
    },
    advice: () => 'Look at endpoints that log or allow clients by their address.',
    is: ({ before, after }) => isSource(before) && isSource(after),
  },
  {
    id: 'affinity',
    title: 'how long a client stays with its endpoint',
    says: {
      iptables: 'iptables mode remembers clients in a list for each endpoint (xt_recent).',
      ipvs: 'IPVS remembers them in persistence templates, which live as long as a connection does at least.',
      nftables: 'nftables mode remembers them in sets with a timeout.',
      any: 'What one mode remembers is unknown to the other: with the switch each client is assigned anew once.',
    },
    is: ({ before }) => before.includes('affinity'),
  },
  {
    id: 'internal-local',
    title: 'internalTrafficPolicy Local',
    says: {
      iptables: 'Without an endpoint on the node, iptables mode drops what is sent to the cluster IP.',
      ipvs: 'Without one, IPVS mode sends it to endpoints of other nodes, or refuses it where there are none at all.',
      nftables: 'Without an endpoint on the node, nftables mode drops what is sent to the cluster IP.',
    },
    is: ({ finding: { name }, traits }) => name.kind === 'clusterIP' && traits?.isInternalLocal === true,
  },
  {
    id: 'external-and-balancer',
    title: "address that is external and a load balancer's at once, with source ranges",
    says: {
      iptables: 'In iptables mode the rule of the external IP comes first: loadBalancerSourceRanges do not hold.',
      nftables: 'In nftables mode loadBalancerSourceRanges hold.',
    },
    advice: () => 'Drop the address from externalIPs if the ranges are to hold.',
    is: ({ finding: { name }, traits }) =>
      balanced.has(name.kind) && traits?.sharesAddress === true && traits.hasSourceRanges,
  },
  {
    id: 'no-endpoints-from-node',
    title: 'load-balancer or external IP without endpoints, from the node itself',
    says: {
      iptables:
        'In iptables mode such packets of the node leave by the default route: only traffic from elsewhere is refused.',
      ipvs: 'In IPVS mode a virtual server without servers refuses them.',
      nftables: 'In nftables mode they are refused.',
    },
    is: ({ finding: { name, entrance }, before, after }) =>
      balanced.has(name.kind) && entrance === 'node' && isPair(before, after, 'leaves untranslated', 'refused'),
  },
  {
    id: 'ranges-without-endpoints',
    title: 'source ranges of a Service without endpoints',
    says: {
      iptables: 'In iptables mode a Service without endpoints refuses everybody.',
      ipvs: 'In IPVS mode who is not in loadBalancerSourceRanges is dropped, whether there are endpoints or not.',
      nftables:
        'In nftables mode who is not in loadBalancerSourceRanges is dropped, whether there are endpoints or not.',
    },
    is: ({ finding: { name }, before, after, traits }) =>
      balanced.has(name.kind) && traits?.hasSourceRanges === true && isPair(before, after, 'refused', 'dropped'),
  },
  {
    id: oneSidedRanges,
    title: 'loadBalancerSourceRanges that hold in one mode only',
    says: {
      iptables: 'iptables mode asks for the ranges before it translates.',
      ipvs: 'IPVS mode asks for the ranges in the filter, and knows the address of the Service there.',
      nftables:
        'nftables mode asks for the ranges before it translates, but in 1.29 behind that: no forwarded packet has the address of the Service there, so that the ranges stop nothing that is forwarded.',
    },
    advice: ({ after }) =>
      after === 'answered'
        ? 'Go to a version in which the ranges hold, or keep these clients out by a firewall in front of the node, before the switch.'
        : 'Clients that the ranges leave out lose their answer with the switch: see whether any of them is needed.',
    is: ({ finding: { name, a, b }, before, after, traits }) =>
      balanced.has(name.kind) &&
      traits?.hasSourceRanges === true &&
      isPair(before, after, 'dropped', 'answered') &&
      isStoppedByRanges(before === 'dropped' ? a : b),
  },
  {
    id: 'external-local-inside',
    title: 'externalTrafficPolicy Local, from inside the cluster',
    says: {
      any: 'externalTrafficPolicy Local keeps traffic from outside on the node; what Pods and the node itself get differs by mode.',
      iptables: 'In iptables mode they get to all endpoints of the cluster.',
      ipvs: 'In IPVS mode they get to endpoints of this node, and only if there are none here to all others.',
      nftables:
        'In nftables mode they get to all endpoints too, but through 1.33 the node itself is dropped where the node has none, and from 1.33.6 and 1.34 on Pods as well.',
    },
    is: ({ finding: { name, entrance }, traits }) =>
      (balanced.has(name.kind) || name.kind === 'nodePort') && traits?.isExternalLocal === true && isInside(entrance),
  },
  {
    id: 'external-local-outside',
    title: 'externalTrafficPolicy Local, from outside',
    says: {
      any: 'The node has no endpoint of the Service, or only such as are shutting down.',
      iptables: 'iptables mode then drops what comes from outside.',
      ipvs: 'IPVS mode then sends it to endpoints of other nodes.',
      nftables: 'nftables mode then drops what comes from outside.',
    },
    advice: ({ from }) =>
      modeFacts[from].sendsLocalElsewhere
        ? 'Let the load balancer ask the health-check node port, so that it leaves such nodes out.'
        : undefined,
    is: ({ finding: { name }, traits }) =>
      (balanced.has(name.kind) || name.kind === 'nodePort') && traits?.isExternalLocal === true,
  },
  {
    id: 'source-ranges',
    title: 'loadBalancerSourceRanges',
    says: {
      iptables: 'iptables mode asks for the ranges in rules of the Service.',
      ipvs: 'IPVS mode keeps them in ipsets, which cannot hold a range of everything (0.0.0.0/0).',
      nftables: 'nftables mode asks for them before it translates.',
    },
    is: ({ finding: { name }, traits }) => balanced.has(name.kind) && traits?.hasSourceRanges === true,
  },
  {
    id: 'balance',
    title: 'shares of endpoints',
    says: {
      iptables: 'iptables mode chooses at random.',
      ipvs: 'IPVS mode leaves it to its scheduler, on each node by itself.',
      nftables: 'nftables mode chooses at random.',
    },
    is: ({ after }) => after === 'other shares',
  },
  {
    id: 'refusal',
    title: 'how a refusal looks to the client',
    says: { any: 'Clients fail in both modes, with another error.' },
    is: ({ after }) => after === 'refused otherwise',
  },
];

/** A port that the Service does not have, at one of its addresses; IPVS mode looks for node ports there too. */
function isUnusedPort({ name, destination }: BehaviourFinding): boolean {
  return virtual.has(name.kind) && (destination.use === 'other' || name.isServicePort !== true);
}

function isSource(words: string): boolean {
  return /^(?:masqueraded|own source)/.test(words);
}

function isPair(one: string, other: string, a: string, b: string): boolean {
  return (one === a && other === b) || (one === b && other === a);
}

function isInside(entrance: string): boolean {
  return entrance !== 'outside' && entrance !== 'other-node';
}

function sourcesOf({ outcomes }: Distribution): string {
  return [...new Set([...outcomes.values()].map(({ outcome }) => String(outcome.source)))].sort().join();
}
