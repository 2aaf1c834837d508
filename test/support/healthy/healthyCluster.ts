import { canonicalIp } from '../../../src/common/addresses/ip.ts';
import type { LabServer } from '../../../src/lab/network/labNetwork.ts';

/**
 * The cluster that all fixtures of healthy nodes share, in the address ranges of each: two nodes, Pods on both, and a
 * Service of every kind. Without IPv6 where the program beside kube-proxy has none.
 */
export interface ClusterShape {
  /** The first half of the Pods' IPv4 range, `10.244`. */
  readonly pods: string;
  /** And of the Services', `10.96`. */
  readonly services: string;
  readonly hasIpv6: boolean;
  /** A NetworkPolicy is in force: shop/db is for shop/web's Pods alone. */
  readonly hasPolicy: boolean;
  /** shop/front's load balancer is k3s's: a Pod of the node with its port as host port, and the node's own address. */
  readonly hasServiceLb?: boolean;
  /** NodeLocal DNSCache runs on n1, in the node's network. */
  readonly hasNodeCache?: boolean;
}

export interface ClusterMachine {
  readonly name: string;
  readonly node?: string;
  readonly addresses: readonly string[];
  readonly servers: readonly LabServer[];
}

/** What the manifests hold, as objects. */
export function clusterObjects(shape: ClusterShape): readonly object[] {
  return [
    ...nodeNames.map((name, at) => nodeObject(shape, name, at + 1)),
    ...['shop', 'kube-system', 'default'].map((name) => ({
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    })),
    ...clusterPods(shape).map((pod) => podObject(pod)),
    ...(shape.hasNodeCache ? [nodeCache] : []),
    ...services.map((service) => serviceObject(shape, service)),
    apiServerSlice,
    ...(shape.hasPolicy ? [policy] : []),
  ];
}

/** Both nodes with their addresses. */
export function clusterNodes(
  shape: ClusterShape,
): readonly (ClusterMachine & { readonly podCidrs: readonly string[] })[] {
  return nodeNames.map((name, at) => ({
    name,
    addresses: nodeAddresses(shape, at + 1),
    podCidrs: podCidrs(shape, at + 1),
    servers: [
      { protocol: 'tcp', port: 22, name: `${name} sshd` },
      ...(at === 0 ? [{ protocol: 'tcp', port: 6443, name: 'apiserver' } as const] : []),
    ],
  }));
}

export function clusterPods(shape: ClusterShape): readonly ClusterMachine[] {
  return [...pods, ...(shape.hasServiceLb ? [serviceLb] : [])].map(({ name, at, ports }) => {
    const [node, host] = at;
    const addresses = [`${shape.pods}.${node}.${host}`, ...(shape.hasIpv6 ? [`fd00:${node}::${host}`] : [])];
    const servers = ports.flatMap(({ port, protocol }) =>
      addresses.map((address): LabServer => ({ protocol, port, address, name })),
    );
    return { name, node: nodeNames[node - 1] as string, addresses, servers };
  });
}

/** Hosts that are no part of the cluster: one that shop/ranged lets in, and one that it does not. */
export function clusterHosts({ hasIpv6 }: ClusterShape): readonly ClusterMachine[] {
  return [
    { name: 'customer', host: 7, network: '198.51.100' },
    { name: 'stranger', host: 8, network: '192.0.2' },
  ].map(({ name, host, network }) => ({
    name,
    addresses: [`${network}.${host}`, ...(hasIpv6 ? [`2001:db8:${host}::${host}`] : [])],
    servers: [{ protocol: 'tcp', port: 80, name }],
  }));
}

const nodeNames = ['n1', 'n2'] as const;

function nodeAddresses({ hasIpv6 }: ClusterShape, node: number): readonly string[] {
  return [`192.168.10.${node}`, ...(hasIpv6 ? [`2001:db8:10::${node}`] : [])];
}

function podCidrs({ pods, hasIpv6 }: ClusterShape, node: number): readonly string[] {
  return [`${pods}.${node}.0/24`, ...(hasIpv6 ? [`fd00:${node}::/64`] : [])];
}

type Port = Required<Pick<LabServer, 'port' | 'protocol'>> & { readonly name: string };

const http: Port = { name: 'http', port: 8080, protocol: 'tcp' };
const https: Port = { name: 'https', port: 8443, protocol: 'tcp' };
const sql: Port = { name: 'sql', port: 5432, protocol: 'tcp' };
const dns: Port = { name: 'dns', port: 53, protocol: 'udp' };
const dnsTcp: Port = { name: 'dns-tcp', port: 53, protocol: 'tcp' };

interface Pod {
  readonly name: string;
  /** Node and the last number of the address. */
  readonly at: readonly [node: 1 | 2, host: number];
  readonly ports: readonly Port[];
}

const pods: readonly Pod[] = [
  { name: 'shop/web-1', at: [1, 11], ports: [http, https] },
  { name: 'shop/client', at: [1, 12], ports: [] },
  { name: 'kube-system/coredns-1', at: [1, 13], ports: [dns, dnsTcp] },
  { name: 'shop/front-1', at: [1, 14], ports: [http] },
  { name: 'shop/db-1', at: [1, 15], ports: [sql] },
  { name: 'shop/web-2', at: [2, 11], ports: [http, https] },
  { name: 'shop/far', at: [2, 12], ports: [] },
];

const serviceLb: Pod = { name: 'kube-system/svclb-front-4f0c1', at: [1, 20], ports: [{ ...http, port: 80 }] };

const nodeCache = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'node-local-dns-x7k2p', namespace: 'kube-system', labels: { 'k8s-app': 'node-local-dns' } },
  spec: { nodeName: 'n1', hostNetwork: true, containers: [{ name: 'node-cache', image: 'example.com/node-cache' }] },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True' }],
    podIP: '192.168.10.1',
    podIPs: [{ ip: '192.168.10.1' }],
  },
};

interface Service {
  readonly name: string;
  /** The second half of the cluster IP. */
  readonly ip: string;
  readonly app?: string;
  readonly ports: readonly { readonly port: number; readonly target: Port; readonly nodePort?: number }[];
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly balancer?: number;
}

const services: readonly Service[] = [
  {
    name: 'kube-system/kube-dns',
    ip: '0.10',
    app: 'coredns',
    ports: [dns, dnsTcp].map((target) => ({ port: 53, target })),
  },
  { name: 'shop/web', ip: '1.10', app: 'web', ports: [{ port: 80, target: http }] },
  {
    name: 'shop/api',
    ip: '1.20',
    app: 'web',
    ports: [{ port: 443, target: https, nodePort: 30443 }],
    spec: { type: 'NodePort' },
  },
  {
    name: 'shop/front',
    ip: '1.30',
    app: 'front',
    ports: [{ port: 80, target: http, nodePort: 30080 }],
    spec: { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 32030 },
    balancer: 30,
  },
  {
    name: 'shop/ranged',
    ip: '1.40',
    app: 'web',
    ports: [{ port: 80, target: http, nodePort: 30081 }],
    spec: { type: 'LoadBalancer', loadBalancerSourceRanges: ['198.51.100.0/24', '2001:db8:7::/48'] },
    balancer: 31,
  },
  {
    name: 'shop/sticky',
    ip: '1.50',
    app: 'web',
    ports: [{ port: 80, target: http }],
    spec: { sessionAffinity: 'ClientIP' },
  },
  { name: 'shop/empty', ip: '1.60', app: 'nobody', ports: [{ port: 80, target: http }] },
  {
    name: 'shop/ext',
    ip: '1.70',
    app: 'web',
    ports: [{ port: 8088, target: http }],
    spec: { externalIPs: ['203.0.113.40'] },
  },
  { name: 'shop/db', ip: '1.80', app: 'db', ports: [{ port: 5432, target: sql }] },
  {
    name: 'default/kubernetes',
    ip: '0.1',
    ports: [{ port: 443, target: { name: 'https', port: 6443, protocol: 'tcp' } }],
  },
];

const apiServerSlice = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 'kubernetes', namespace: 'default', labels: { 'kubernetes.io/service-name': 'kubernetes' } },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['192.168.10.1'], conditions: { ready: true } }],
  ports: [{ name: 'https', port: 6443, protocol: 'TCP' }],
};

const policy = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata: { name: 'db', namespace: 'shop' },
  spec: {
    podSelector: { matchLabels: { app: 'db' } },
    policyTypes: ['Ingress'],
    ingress: [{ from: [{ podSelector: { matchLabels: { app: 'web' } } }], ports: [{ port: 5432, protocol: 'TCP' }] }],
  },
};

function nodeObject(shape: ClusterShape, name: string, number: number): object {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name },
    spec: { podCIDR: podCidrs(shape, number)[0], podCIDRs: podCidrs(shape, number) },
    status: { addresses: nodeAddresses(shape, number).map((address) => ({ type: 'InternalIP', address })) },
  };
}

function podObject({ name: full, node, addresses, servers }: ClusterMachine): object {
  const [namespace, name = ''] = full.split('/');
  const known = [http, https, sql, dns, dnsTcp, ...serviceLb.ports];
  const ports = known.filter(({ port, protocol }) =>
    servers.some((own) => own.port === port && own.protocol === protocol),
  );
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { app: name.replace(/-\d$/, '') } },
    spec: {
      nodeName: node,
      containers: [
        {
          name: 'main',
          image: 'example.com/main',
          ports: ports.map(({ name, port, protocol }) => ({
            name,
            containerPort: port,
            protocol: protocol.toUpperCase(),
          })),
        },
      ],
    },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True' }],
      podIP: addresses[0],
      podIPs: addresses.map((ip) => ({ ip })),
    },
  };
}

function serviceObject(shape: ClusterShape, { name: full, ip, app, ports, spec = {}, balancer }: Service): object {
  const [namespace, name] = full.split('/');
  // The API server's own Service and the DNS of clusters that were one-family once have one family.
  const isDual = shape.hasIpv6 && app !== undefined;
  const clusterIPs = [`${shape.services}.${ip}`, ...(isDual ? [canonicalIp(`fd00:96::${ip.replace('.', ':')}`)] : [])];
  const ingress = balancer === undefined ? [] : ingressOf(shape, balancer, isDual);
  const { loadBalancerSourceRanges, ...rest } = spec as { readonly loadBalancerSourceRanges?: readonly string[] };
  const ranges = loadBalancerSourceRanges?.filter((range) => isDual || !range.includes(':'));
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: {
      type: 'ClusterIP',
      ...rest,
      ...(ranges && { loadBalancerSourceRanges: ranges }),
      clusterIP: clusterIPs[0],
      clusterIPs,
      ipFamilies: isDual ? ['IPv4', 'IPv6'] : ['IPv4'],
      ipFamilyPolicy: isDual ? 'RequireDualStack' : 'SingleStack',
      ...(app !== undefined && { selector: { app } }),
      ports: ports.map(({ port, target, nodePort }) => ({
        name: target.name,
        port,
        targetPort: target.port,
        protocol: target.protocol.toUpperCase(),
        ...(nodePort !== undefined && { nodePort }),
      })),
    },
    ...(ingress.length > 0 && { status: { loadBalancer: { ingress: ingress.map((ip) => ({ ip })) } } }),
  };
}

function ingressOf({ hasServiceLb }: ClusterShape, balancer: number, isDual: boolean): readonly string[] {
  if (hasServiceLb && balancer === 30) return ['192.168.10.1'];
  return [`203.0.113.${balancer}`, ...(isDual ? [`2001:db8:113::${balancer}`] : [])];
}
