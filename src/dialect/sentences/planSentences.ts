import type { PlanDialect } from '../plan/planDialect.ts';
import type { SentencesOf } from './axisSentences.ts';

/** What the axes of the plan mean, in sentences. */
export const planSentences: SentencesOf<PlanDialect> = {
  servicePortColon: {
    isBehaviour: false,
    modes: ['iptables', 'userspace'],
    says: {
      always: 'Comments and chain names of a port without a name end with a colon: "shop/web:".',
      onlyNamed:
        'A port without a name has no colon in comments and chain names: "shop/web". Its chains get other names.',
    },
  },
  knowsNotReady: {
    isBehaviour: true,
    says: {
      true: 'Endpoints that are not ready are known too: where EndpointSlices overlap, such a one can hide a ready one.',
      false: 'Only ready endpoints are known.',
    },
  },
  endpointIdentity: {
    isBehaviour: true,
    says: {
      ip: 'Endpoints of a port are told apart by their IP alone: of two slices that give one IP two port numbers, one counts.',
      address: 'Endpoints of a port are told apart by IP and port number.',
    },
  },
  replacesEndpoint: {
    isBehaviour: true,
    says: {
      byLocal:
        'Of two equal endpoints in overlapping EndpointSlices the first counts, unless a later one is on the node.',
      byNotTerminating: 'Of two equal endpoints in overlapping EndpointSlices the last that is not terminating counts.',
    },
  },
  endpointOrder: {
    isBehaviour: false,
    modes: ['iptables', 'nftables'],
    says: {
      given: 'Endpoints stand in the order of the Endpoints object.',
      sorted: 'Endpoints come from EndpointSlices and are sorted as text: 10.0.0.10 stands before 10.0.0.9.',
    },
  },
  endpointIP: {
    isBehaviour: false,
    says: {
      asWritten: 'IPs of endpoints are written as they stand in their EndpointSlice.',
      canonical:
        'IPs of endpoints are written in canonical form; other spellings of IPv6 addresses give other chain names.',
    },
  },
  externalAddress: {
    isBehaviour: false,
    says: {
      asWritten: 'External IPs and load-balancer IPs are written as they stand in the Service.',
      canonical: 'External IPs and load-balancer IPs are written in canonical form.',
    },
  },
  usesTerminating: {
    isBehaviour: true,
    says: {
      true: 'Where no endpoint is ready, those that still serve while they terminate are used (KEP-1669).',
      false: 'Terminating endpoints are never used.',
    },
  },
  reachesNotReady: {
    isBehaviour: true,
    modes: ['iptables'],
    says: {
      true: 'Endpoints that are not ready keep their chains, and clients with session affinity stay with them.',
      false: 'Endpoints that are not ready get no chains and no clients.',
    },
  },
  hints: {
    isBehaviour: true,
    says: {
      off: 'Topology hints of endpoints are ignored.',
      auto: 'Topology hints count for Services whose annotation topology-aware-hints is "Auto" or "auto".',
      any: 'Topology hints count with any value of the annotations topology-aware-hints and topology-mode but "Disabled".',
      always: 'Topology hints count without an annotation: if every ready endpoint has one and one is for the zone.',
    },
  },
  honoursNodeHints: {
    isBehaviour: true,
    says: {
      true: 'Hints for nodes count before those for zones (trafficDistribution PreferSameNode).',
      false: 'Hints for nodes are ignored.',
    },
  },
  externalPolicy: {
    isBehaviour: true,
    says: {
      ignored: 'externalTrafficPolicy is ignored.',
      ofNodePorts: 'externalTrafficPolicy Local holds for NodePort and LoadBalancer Services.',
      ofExternal:
        'externalTrafficPolicy Local holds for every Service with external addresses, also of type ClusterIP.',
    },
  },
  externalIPHonoursLocal: {
    isBehaviour: true,
    says: {
      true: 'externalTrafficPolicy Local holds for external IPs too.',
      false: 'Traffic to external IPs goes to endpoints of all nodes, also with externalTrafficPolicy Local.',
    },
  },
  podsBypassLocal: {
    isBehaviour: true,
    modes: ['iptables'],
    says: {
      true: 'Pods of the node reach all endpoints through an external address with policy Local.',
      false: 'Policy Local holds for Pods of the node too.',
    },
  },
  nodeBypassesLocal: {
    isBehaviour: true,
    modes: ['iptables'],
    says: {
      true: 'The node itself reaches all endpoints through an external address with policy Local.',
      false: 'Policy Local holds for the node itself too.',
    },
  },
  fallsBackToCluster: {
    isBehaviour: true,
    says: {
      true: 'A Local policy that finds no endpoint on the node uses those of other nodes.',
      false: 'A Local policy uses endpoints of the node only.',
    },
  },
  internalPolicy: {
    isBehaviour: true,
    says: {
      ignored: 'internalTrafficPolicy is ignored.',
      cutUnlessExternalLocal:
        'internalTrafficPolicy Local limits every address of the Service to endpoints of the node, unless externalTrafficPolicy is Local too.',
      cut: 'internalTrafficPolicy Local limits every address of the Service to endpoints of the node.',
      honored: 'internalTrafficPolicy Local holds for the cluster IP alone.',
    },
  },
  readsBetaAnnotations: {
    isBehaviour: true,
    says: {
      true: 'The annotations external-traffic and load-balancer-source-ranges are read.',
      false: 'The beta annotations external-traffic and load-balancer-source-ranges are no longer read.',
    },
  },
  honoursIpMode: {
    isBehaviour: true,
    says: {
      true: 'Load-balancer addresses with ipMode Proxy get no rules.',
      false: 'ipMode of load-balancer addresses is ignored: all of them get rules.',
    },
  },
  ignoresExternalIPs: {
    isBehaviour: true,
    says: {
      true: 'externalIPs of Services are ignored.',
      false: 'externalIPs of Services get rules.',
    },
  },
  affinitySeconds: {
    isBehaviour: true,
    says: (after) =>
      after === 'field'
        ? "Session affinity lasts as long as the Service's timeoutSeconds says."
        : `Session affinity always lasts ${after} seconds.`,
  },
  trimsSourceRanges: {
    isBehaviour: true,
    says: {
      true: 'Blanks around a source range do no harm.',
      false: 'A source range with blanks around it is skipped.',
    },
  },
  masksSourceRanges: {
    isBehaviour: false,
    says: {
      true: 'Source ranges are written as networks: 10.1.2.3/8 becomes 10.0.0.0/8.',
      false: 'Source ranges are written as they stand in the Service.',
    },
  },
  masksPodRange: {
    isBehaviour: false,
    says: {
      true: 'The range that tells Pods is written as a network in canonical form: fd00:10:244:0::/64 becomes fd00:10:244::/64.',
      false: 'The range that tells Pods is written as clusterCIDR or the Node has it.',
    },
  },
  opensByZeroRange: {
    isBehaviour: true,
    says: {
      true: 'A /0 among the source ranges of a family lets everybody in: there is no firewall for that load balancer.',
      false: 'A /0 among the source ranges is a range like the others.',
    },
  },
  localDetectors: {
    isBehaviour: true,
    says: {
      clusterCIDR: 'Local Pods are recognized by the cluster CIDR alone.',
      cidrs: 'Local Pods are recognized by the CIDR of the cluster or of the node.',
      all: 'Local Pods are recognized by a CIDR or by their interfaces, as detectLocalMode says.',
    },
  },
  masqueradesOffCluster: {
    isBehaviour: true,
    says: {
      true: 'Traffic to a cluster IP from outside the cluster is masqueraded.',
      false: 'Traffic to a cluster IP from outside the cluster keeps its source.',
    },
  },
  externalIPMasquerade: {
    isBehaviour: true,
    modes: ['iptables'],
    says: {
      always: 'All traffic to external IPs is masqueraded, unless the policy is Local.',
      offCluster: 'Of the traffic to external IPs only what does not come from local Pods is masqueraded.',
    },
  },
  masqueradesLoopbackNodePort: {
    isBehaviour: true,
    modes: ['iptables'],
    says: {
      true: 'Node ports with policy Local masquerade what comes from 127.0.0.0/8.',
      false: 'Node ports with policy Local have no rule of their own for 127.0.0.0/8.',
    },
  },
  invalidDrop: {
    isBehaviour: true,
    modes: ['iptables'],
    says: {
      no: 'Packets that conntrack marks INVALID are forwarded.',
      yes: 'Packets that conntrack marks INVALID are dropped.',
      unlessLiberal: 'Packets that conntrack marks INVALID are dropped, unless conntrack.tcpBeLiberal is set.',
    },
  },
  honoursNodePortAddresses: {
    isBehaviour: true,
    says: {
      true: 'nodePortAddresses limits the addresses on which node ports are open.',
      false: 'nodePortAddresses is ignored.',
    },
  },
  nodePortWords: {
    isBehaviour: true,
    says: {
      none: 'nodePortAddresses holds CIDRs only.',
      primaryAlone: 'nodePortAddresses may be "primary": the addresses of the node.',
      any: 'nodePortAddresses takes "primary", "localhost" and "all", beside CIDRs too.',
    },
  },
  zeroNodePortRange: {
    isBehaviour: true,
    says: {
      literal:
        'Of nodePortAddresses only the texts 0.0.0.0/0 and ::/0 stand for every address; 0::/0 opens the addresses that the node has.',
      anySpelling: 'Every range in nodePortAddresses with a prefix of 0 bits stands for every address.',
    },
  },
  defaultNodePorts: {
    isBehaviour: true,
    says: {
      anyLocal: 'Node ports are open on every local address, unless nodePortAddresses limits them.',
      nodeIP: "Node ports are open on the node's own IP alone, unless nodePortAddresses says otherwise (KEP-3866).",
      nodeIPOrAny:
        "Node ports are open on the node's own IP alone, and in a family without node IP on every local address.",
    },
  },
  honoursLocalhostNodePorts: {
    isBehaviour: true,
    modes: ['iptables'],
    says: {
      true: 'iptables.localhostNodePorts can close node ports on 127.0.0.0/8; on ::1 they are always closed.',
      false: 'Node ports cannot be closed on loopback addresses.',
    },
  },
  sortsSlices: {
    isBehaviour: true,
    says: {
      true: 'Where an EndpointSlice has an address twice, its entries are sorted by their addresses before one of them counts.',
      false: 'Where an EndpointSlice has an address twice, the order in which it has them decides which entry counts.',
    },
  },
  capsConntrack: {
    isBehaviour: true,
    says: {
      true: 'nf_conntrack_max is set to 1048576 at most, however many CPUs the node has.',
      false: 'nf_conntrack_max grows with the CPUs of the node without end.',
    },
  },
  hidingLabels: {
    isBehaviour: true,
    says: {
      eitherOfBoth:
        'Labels service.kubernetes.io/service-proxy-name and service.kubernetes.io/headless hide Services and EndpointSlices alike.',
      oneOfEach:
        'Label service.kubernetes.io/service-proxy-name hides Services, label service.kubernetes.io/headless hides EndpointSlices.',
    },
  },
};
