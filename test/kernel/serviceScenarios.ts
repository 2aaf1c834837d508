import type { OutsideHost, PodMachine } from '../../src/lab/network/labNetwork.ts';
import { answeredBy, type Expectation, type Flow } from './flows.ts';

/** A scenario of `fixtures/services` with what packets must meet there. Rules are on node-1. */
export interface ServiceScenario {
  readonly name: string;
  /** What node-1 has beside the addresses of its Node object, with their length. */
  readonly nodeAddresses?: readonly string[];
  readonly flows: readonly ServiceFlow[];
}

/** A flow, with what another mode than iptables makes of it. */
export interface ServiceFlow extends Flow {
  readonly nftables?: Expectation;
  /** Other versions of nftables mode than 1.30, where packets fare otherwise there. */
  readonly nftablesOf?: Readonly<Record<string, Expectation>>;
  readonly ipvs?: Expectation;
  /** Other versions of IPVS mode than 1.30, where packets fare otherwise there. */
  readonly ipvsOf?: Readonly<Record<string, Expectation>>;
}

/** Clients that every scenario has: a pod on node-1, one on node-2, and two outside hosts behind node-1. */
export const clients: { readonly pods: readonly PodMachine[]; readonly hosts: readonly OutsideHost[] } = {
  pods: [
    { name: 'pod', node: 'node-1', addresses: ['10.244.1.200', 'fd00:10:244:1::200'] },
    { name: 'far-pod', node: 'node-2', addresses: ['10.244.2.200', 'fd00:10:244:2::200'] },
  ],
  hosts: [
    { name: 'outside', addresses: ['198.51.100.7', '2001:db8:7::7'], gateway: 'node-1' },
    { name: 'stranger', addresses: ['192.0.2.9'], gateway: 'node-1' },
  ],
};

const node1 = '192.168.10.1';

/** A second address of node-1. */
const second = '192.168.99.1';

/** The three endpoints of lb-basic: on node-1, node-2 and node-3. */
const edge = ['10.244.1.10', '10.244.2.11', '10.244.3.12'];

const front = ['10.244.1.100', '10.244.2.101', '10.244.3.102'];
const six = ['fd00:10:244:1::a', 'fd00:10:244:2::b'];

export const serviceScenarios: readonly ServiceScenario[] = [
  {
    name: 'lb-basic',
    flows: [
      { from: 'pod', to: '10.96.110.1', port: 443, expect: answeredBy(edge, 'own', 'even') },
      { from: 'node-1', to: '10.96.110.1', port: 443, expect: answeredBy(edge, 'node') },
      // Outside the cluster CIDR: answers must come back through this node.
      { from: 'outside', to: '10.96.110.1', port: 443, expect: answeredBy(edge, 'node') },
      { from: '10.244.1.10', to: '10.96.110.1', port: 443, expect: answeredBy(edge, 'hairpin') },
      { from: 'outside', to: '203.0.113.10', port: 443, expect: answeredBy(edge, 'node', 'even') },
      { from: 'stranger', to: '203.0.113.10', port: 443, expect: answeredBy(edge, 'node') },
      { from: 'pod', to: '203.0.113.10', port: 443, expect: answeredBy(edge, 'node') },
      { from: 'outside', to: node1, port: 32443, expect: answeredBy(edge, 'node') },
      { from: 'pod', to: node1, port: 32443, expect: answeredBy(edge, 'node') },
      { from: 'far-pod', to: node1, port: 32443, expect: answeredBy(edge, 'node') },
      { from: 'node-1', to: node1, port: 32443, expect: answeredBy(edge, 'node') },
      // route_localnet; the other modes have no node ports on loopback.
      {
        from: 'node-1',
        to: '127.0.0.1',
        port: 32443,
        expect: answeredBy(edge, 'node'),
        nftables: 'refused',
        ipvs: 'refused',
      },
      // Nothing matches an unused port of a cluster IP in iptables mode: it leaves by the default route.
      {
        from: 'pod',
        to: '10.96.110.1',
        port: 444,
        expect: 'timeout',
        nftables: 'refused',
        nftablesOf: { '1.29': 'timeout' },
        ipvs: 'refused',
      },
      {
        from: 'node-1',
        to: '10.96.110.1',
        port: 444,
        expect: 'timeout',
        nftables: 'refused',
        nftablesOf: { '1.29': 'timeout' },
        ipvs: 'refused',
      },
      {
        from: 'outside',
        to: '10.96.110.1',
        port: 444,
        expect: 'timeout',
        nftables: 'refused',
        nftablesOf: { '1.29': 'timeout' },
        ipvs: 'refused',
      },
      {
        from: 'pod',
        to: '10.96.110.1',
        port: 443,
        protocol: 'udp',
        expect: 'timeout',
        nftables: 'refused',
        nftablesOf: { '1.29': 'timeout' },
        ipvs: 'refused',
      },
      // nftables checks cluster IPs only; IPVS has every address of a Service on the node.
      { from: 'pod', to: '203.0.113.10', port: 444, expect: 'timeout', ipvs: 'refused' },
      { from: 'outside', to: '203.0.113.10', port: 444, expect: 'timeout', ipvs: 'refused' },
      // Hairpins by the other addresses: everybody is masqueraded there.
      { from: '10.244.1.10', to: '203.0.113.10', port: 443, expect: answeredBy(edge, 'node') },
      { from: '10.244.1.10', to: node1, port: 32443, expect: answeredBy(edge, 'node') },
      { from: 'outside', to: node1, port: 32444, expect: 'refused' },
    ],
  },
  {
    name: 'lb-etp-local',
    flows: [
      { from: 'outside', to: '203.0.113.50', port: 80, expect: answeredBy(['10.244.1.40'], 'own') },
      { from: 'outside', to: node1, port: 32600, expect: answeredBy(['10.244.1.40'], 'own') },
      // Pods and the node itself are short-cut to all endpoints. IPVS has one virtual server for all clients; the
      // address is the node's own there, and so the source that its connection takes.
      {
        from: 'pod',
        to: '203.0.113.50',
        port: 80,
        expect: answeredBy(['10.244.1.40', '10.244.2.40', '10.244.3.40'], 'own'),
        ipvs: answeredBy(['10.244.1.40'], 'own'),
      },
      {
        from: 'node-1',
        to: '203.0.113.50',
        port: 443,
        expect: answeredBy(['10.244.1.40', '10.244.2.40', '10.244.3.40'], 'node'),
        ipvs: answeredBy(['10.244.1.40'], 'target'),
      },
      {
        from: '10.244.1.40',
        to: '203.0.113.50',
        port: 80,
        expect: answeredBy(['10.244.1.40', '10.244.2.40', '10.244.3.40'], 'hairpin'),
        ipvs: answeredBy(['10.244.1.40'], 'hairpin'),
      },
      // Through 1.23 a virtual service of IPVS had no server there, and refused.
      { from: 'outside', to: '203.0.113.51', port: 80, expect: 'timeout', ipvsOf: { '1.20': 'refused' } },
      { from: 'outside', to: node1, port: 32602, expect: 'timeout', ipvsOf: { '1.20': 'refused' } },
      {
        from: 'pod',
        to: '203.0.113.51',
        port: 80,
        expect: answeredBy(['10.244.2.41'], 'own'),
        ipvsOf: { '1.20': 'refused' },
      },
      // Through 1.33.5 nftables drops in its output hook, which comes before the DNAT; a pod's packet has its DNAT by then.
      {
        from: 'node-1',
        to: '203.0.113.51',
        port: 80,
        expect: answeredBy(['10.244.2.41'], 'node'),
        nftables: 'timeout',
        nftablesOf: { '1.36': answeredBy(['10.244.2.41'], 'node') },
        ipvs: 'timeout',
        ipvsOf: { '1.20': 'refused' },
      },
      { from: 'outside', to: '203.0.113.52', port: 80, expect: 'refused' },
      { from: 'pod', to: '10.96.113.2', port: 80, expect: answeredBy(['10.244.2.41'], 'own') },
    ],
  },
  {
    name: 'lb-source-ranges',
    flows: [
      { from: 'outside', to: '203.0.113.40', port: 443, expect: answeredBy(['10.244.1.10', '10.244.2.11'], 'node') },
      // 1.29 looks at source ranges behind the DNAT, where the packet has another destination.
      {
        from: 'stranger',
        to: '203.0.113.40',
        port: 443,
        expect: 'timeout',
        nftablesOf: { '1.29': answeredBy(['10.244.1.10', '10.244.2.11'], 'node') },
      },
      {
        from: 'pod',
        to: '203.0.113.40',
        port: 443,
        expect: 'timeout',
        nftablesOf: { '1.29': answeredBy(['10.244.1.10', '10.244.2.11'], 'node') },
      },
      // Ranges guard the load balancer's address only.
      { from: 'stranger', to: node1, port: 32500, expect: answeredBy(['10.244.1.10', '10.244.2.11'], 'node') },
      { from: 'pod', to: '10.96.111.1', port: 443, expect: answeredBy(['10.244.1.10', '10.244.2.11'], 'own', 'even') },
    ],
  },
  {
    name: 'noendpoints-all-types',
    flows: [
      { from: 'pod', to: '10.96.150.1', port: 80, expect: 'refused' },
      { from: 'node-1', to: '10.96.150.1', port: 80, expect: 'refused' },
      { from: 'pod', to: '10.96.150.2', port: 53, protocol: 'udp', expect: 'refused' },
      { from: 'pod', to: '10.96.150.5', port: 9999, protocol: 'sctp', expect: 'refused' },
      { from: 'outside', to: '203.0.113.80', port: 80, expect: 'refused' },
      { from: 'outside', to: '198.51.100.81', port: 80, expect: 'refused' },
      { from: 'outside', to: node1, port: 31300, expect: 'refused' },
      { from: 'outside', to: node1, port: 31301, protocol: 'udp', expect: 'refused' },
    ],
  },
  {
    name: 'policy-both-local',
    flows: [
      { from: 'pod', to: '10.96.131.1', port: 80, expect: answeredBy(['10.244.1.11'], 'own') },
      { from: 'outside', to: node1, port: 31101, expect: answeredBy(['10.244.1.11'], 'own') },
      { from: 'pod', to: '10.96.131.2', port: 80, expect: answeredBy(['10.244.1.12'], 'own') },
      {
        from: 'outside',
        to: node1,
        port: 31102,
        expect: answeredBy(['10.244.1.12', '10.244.2.12', '10.244.3.12'], 'node'),
      },
      {
        from: 'pod',
        to: '10.96.131.3',
        port: 80,
        expect: answeredBy(['10.244.1.13', '10.244.2.13', '10.244.3.13'], 'own'),
      },
      { from: 'outside', to: node1, port: 31103, expect: answeredBy(['10.244.1.13'], 'own') },
    ],
  },
  {
    name: 'policy-itp-local',
    flows: [
      { from: 'pod', to: '10.96.130.1', port: 80, expect: answeredBy(['10.244.1.1'], 'own') },
      { from: 'pod', to: '10.96.130.2', port: 80, expect: answeredBy(['10.244.1.2', '10.244.1.3'], 'own', 'even') },
      // IPVS has a virtual server without destinations, which refuses.
      { from: 'pod', to: '10.96.130.3', port: 80, expect: 'timeout', ipvs: 'refused' },
      { from: 'node-1', to: '10.96.130.3', port: 80, expect: 'timeout', ipvs: 'refused' },
      { from: 'pod', to: '10.96.130.4', port: 80, expect: 'refused' },
    ],
  },
  {
    name: 'externalip-etp-local',
    flows: [
      { from: 'outside', to: '198.51.100.31', port: 80, expect: answeredBy(['10.244.1.31'], 'own') },
      { from: 'outside', to: '198.51.100.32', port: 80, expect: 'timeout' },
      {
        from: 'pod',
        to: '198.51.100.31',
        port: 80,
        expect: answeredBy(['10.244.1.31', '10.244.2.31'], 'own'),
        ipvs: answeredBy(['10.244.1.31'], 'own'),
      },
      { from: 'pod', to: '10.96.121.2', port: 80, expect: answeredBy(['10.244.2.32'], 'own') },
    ],
  },
  {
    name: 'affinity-clientip',
    flows: [
      { from: 'pod', to: '10.96.140.1', port: 80, expect: answeredBy(edge, 'own', 'sticky') },
      { from: 'node-1', to: '10.96.140.1', port: 80, expect: answeredBy(edge, 'node', 'sticky') },
      { from: 'pod', to: '10.96.140.2', port: 80, expect: answeredBy(['10.244.1.20', '10.244.2.21'], 'own', 'sticky') },
      {
        from: 'pod',
        to: '10.96.140.2',
        port: 53,
        protocol: 'udp',
        expect: answeredBy(['10.244.1.20', '10.244.2.21'], 'own', 'sticky'),
      },
    ],
  },
  {
    name: 'endpoints-terminating-local',
    flows: [
      { from: 'outside', to: '203.0.113.91', port: 80, expect: answeredBy(['10.244.1.1'], 'own') },
      { from: 'outside', to: '203.0.113.92', port: 80, expect: answeredBy(['10.244.1.11', '10.244.1.12'], 'own') },
      { from: 'outside', to: '203.0.113.93', port: 80, expect: 'timeout' },
      { from: 'pod', to: '10.96.152.2', port: 80, expect: answeredBy(['10.244.2.14'], 'own') },
      { from: 'pod', to: '10.96.152.4', port: 80, expect: answeredBy(['10.244.2.31', '10.244.3.32'], 'own', 'even') },
    ],
  },
  {
    name: 'nodeport-same-number-protocols',
    flows: (['tcp', 'udp', 'sctp'] as const).flatMap((protocol): ServiceFlow[] => [
      { from: 'outside', to: node1, port: 30777, protocol, expect: answeredBy(['10.244.1.10', '10.244.2.11'], 'node') },
      {
        from: 'pod',
        to: '10.96.101.1',
        port: 7777,
        protocol,
        expect: answeredBy(['10.244.1.10', '10.244.2.11'], 'own', 'even'),
      },
    ]),
  },
  {
    name: 'clusterip-hairpin-hostnet',
    flows: [
      {
        from: 'pod',
        to: '10.96.44.1',
        port: 9100,
        expect: answeredBy(['10.244.1.77', '192.168.10.1', '192.168.10.2'], 'own', 'even'),
      },
      {
        from: '10.244.1.77',
        to: '10.96.44.1',
        port: 9100,
        expect: answeredBy(['10.244.1.77', '192.168.10.1', '192.168.10.2'], 'hairpin'),
      },
      {
        from: 'node-1',
        to: '10.96.44.1',
        port: 9100,
        expect: answeredBy(['10.244.1.77', '192.168.10.1', '192.168.10.2'], 'node'),
      },
    ],
  },
  {
    name: 'nodeport-localhost-off',
    flows: [
      { from: 'outside', to: node1, port: 31003, expect: answeredBy(['10.244.1.10', '10.244.2.11'], 'node') },
      { from: 'pod', to: '10.96.100.5', port: 80, expect: answeredBy(['10.244.1.10', '10.244.2.11'], 'own') },
    ],
  },
  {
    name: 'dualstack-basic',
    flows: [
      { from: 'pod', to: '10.96.180.1', port: 80, expect: answeredBy(['10.244.1.10', '10.244.2.11'], 'own') },
      {
        from: 'pod',
        to: 'fd00:10:96::180:1',
        port: 80,
        expect: answeredBy(['fd00:10:244:1::1', 'fd00:10:244:2::2'], 'own', 'even'),
      },
      {
        from: 'outside',
        to: 'fd00:192:168:10::1',
        port: 31500,
        expect: answeredBy(['fd00:10:244:1::20', 'fd00:10:244:2::21', 'fd00:10:244:3::22'], 'node', 'even'),
      },
      {
        from: 'fd00:10:244:1::20',
        to: 'fd00:10:96::180:2',
        port: 80,
        expect: answeredBy(['fd00:10:244:1::20', 'fd00:10:244:2::21', 'fd00:10:244:3::22'], 'hairpin'),
      },
      {
        from: 'node-1',
        to: 'fd00:10:96::180:2',
        port: 80,
        expect: answeredBy(['fd00:10:244:1::20', 'fd00:10:244:2::21', 'fd00:10:244:3::22'], 'node'),
      },
    ],
  },
  {
    name: 'config-masquerade-all',
    flows: [
      // Every client of a cluster IP is masqueraded, pods of the cluster too.
      { from: 'pod', to: '10.96.190.1', port: 80, expect: answeredBy(['10.244.1.10', '10.244.2.11'], 'node', 'even') },
      { from: 'node-1', to: '10.96.190.3', port: 80, expect: answeredBy(['10.244.1.95'], 'node') },
      // Traffic under policy Local keeps its source all the same.
      { from: 'outside', to: '203.0.113.120', port: 80, expect: answeredBy(['10.244.1.90'], 'own') },
      { from: 'outside', to: node1, port: 31601, expect: answeredBy(['10.244.1.95'], 'node') },
    ],
  },
  {
    name: 'config-no-clustercidr',
    flows: [
      // Nothing tells pods from others: nobody is masqueraded at a cluster IP.
      { from: 'pod', to: '10.96.190.1', port: 80, expect: answeredBy(['10.244.1.10', '10.244.2.11'], 'own', 'even') },
      {
        from: '10.244.1.10',
        to: '10.96.190.1',
        port: 80,
        expect: answeredBy(['10.244.1.10', '10.244.2.11'], 'hairpin'),
      },
      { from: 'outside', to: '203.0.113.120', port: 80, expect: answeredBy(['10.244.1.90'], 'own') },
      { from: 'outside', to: node1, port: 31601, expect: answeredBy(['10.244.1.95'], 'node') },
    ],
  },
  {
    name: 'nodeport-etp-local',
    flows: [
      { from: 'outside', to: node1, port: 31010, expect: answeredBy(['10.244.1.8', '10.244.1.9'], 'own', 'even') },
      { from: 'outside', to: node1, port: 31011, expect: 'timeout' },
      { from: 'outside', to: node1, port: 31012, expect: 'refused' },
      { from: 'pod', to: '10.96.102.2', port: 80, expect: answeredBy(['10.244.2.9', '10.244.3.9'], 'own', 'even') },
      { from: 'pod', to: '10.96.102.3', port: 80, expect: 'refused' },
    ],
  },
  {
    name: 'topology-hints',
    flows: [
      { from: 'pod', to: '10.96.160.1', port: 80, expect: answeredBy(['10.244.1.10', '10.244.1.13'], 'own', 'even') },
      {
        from: 'pod',
        to: '10.96.160.3',
        port: 80,
        expect: answeredBy(['10.244.1.30', '10.244.2.31', '10.244.3.32'], 'own', 'even'),
        // From 1.31 on hints count without an annotation.
        nftablesOf: { '1.36': answeredBy(['10.244.1.30'], 'own') },
      },
    ],
  },
  {
    name: 'nodeport-basic',
    nodeAddresses: [`${second}/24`],
    flows: [
      { from: 'outside', to: node1, port: 30080, expect: answeredBy(front, 'node', 'even') },
      { from: 'outside', to: node1, port: 30443, expect: answeredBy(front, 'node') },
      // Every address of the node by default; in nftables mode the node's own alone.
      {
        from: 'outside',
        to: second,
        port: 30080,
        expect: answeredBy(front, 'node'),
        nftables: 'refused',
        nftablesOf: { '1.29': answeredBy(front, 'node') },
      },
      {
        from: 'pod',
        to: second,
        port: 30080,
        expect: answeredBy(front, 'node'),
        nftables: 'refused',
        nftablesOf: { '1.29': answeredBy(front, 'node') },
      },
      {
        from: 'node-1',
        to: second,
        port: 30080,
        expect: answeredBy(front, 'node'),
        nftables: 'refused',
        nftablesOf: { '1.29': answeredBy(front, 'node') },
      },
      { from: '10.244.1.100', to: node1, port: 30080, expect: answeredBy(front, 'node') },
      { from: 'outside', to: node1, port: 30081, expect: 'refused' },
    ],
  },
  {
    name: 'nodeport-addresses-cidr',
    nodeAddresses: [`${second}/24`],
    flows: [
      { from: 'outside', to: node1, port: 31000, expect: answeredBy(['10.244.1.10', '10.244.2.11'], 'node', 'even') },
      { from: 'node-1', to: node1, port: 31000, expect: answeredBy(['10.244.1.10', '10.244.2.11'], 'node') },
      { from: 'outside', to: second, port: 31000, expect: 'refused' },
      { from: 'node-1', to: '127.0.0.1', port: 31000, expect: 'refused' },
    ],
  },
  {
    name: 'nodeport-addresses-loopback',
    nodeAddresses: [`${second}/24`],
    flows: [
      { from: 'outside', to: node1, port: 31002, expect: answeredBy(['10.244.1.10', '10.244.2.11'], 'node') },
      { from: 'outside', to: second, port: 31002, expect: 'refused' },
      // Asked for by nodePortAddresses, and still only iptables mode does it.
      {
        from: 'node-1',
        to: '127.0.0.1',
        port: 31002,
        expect: answeredBy(['10.244.1.10', '10.244.2.11'], 'node'),
        nftables: 'refused',
        ipvs: 'refused',
      },
    ],
  },
  {
    name: 'ipv6-only',
    flows: [
      { from: 'pod', to: 'fd00:10:96::1', port: 80, expect: answeredBy(six, 'own', 'even') },
      { from: 'fd00:10:244:1::a', to: 'fd00:10:96::1', port: 80, expect: answeredBy(six, 'hairpin') },
      { from: 'node-1', to: 'fd00:10:96::1', port: 80, expect: answeredBy(six, 'node') },
      {
        from: 'pod',
        to: 'fd00:10:96::1',
        port: 81,
        expect: 'timeout',
        nftables: 'refused',
        nftablesOf: { '1.29': 'timeout' },
        ipvs: 'refused',
      },
      { from: 'outside', to: 'fd00:192:168:10::1', port: 31520, expect: answeredBy(['fd00:10:244:1::c'], 'node') },
      {
        from: 'outside',
        to: '2001:db8:100::1',
        port: 53,
        protocol: 'udp',
        expect: answeredBy(['fd00:10:244:1::d', 'fd00:10:244:2::d'], 'node', 'even'),
      },
      { from: 'outside', to: 'fd00:192:168:10::1', port: 31522, expect: 'refused' },
    ],
  },
];
