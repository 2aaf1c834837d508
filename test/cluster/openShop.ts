import { type Namespace, openNamespace } from '../../src/lab/openNamespace.ts';
import { runIn } from '../../src/lab/runIn.ts';
import { type Cluster, openCluster, type ProxyNode } from './openCluster.ts';
import { until } from './until.ts';

/** A cluster with Pods that answer: the network of its nodes is the usual one of a bridge and routes. */
export interface Shop extends Cluster {
  /** By name: `web-1`. */
  readonly pods: ReadonlyMap<string, Namespace>;
  /** Whether a TCP connection from a Pod comes about. */
  readonly connects: (pod: string, address: string, port: number) => Promise<boolean>;
}

/** A Pod of the shop: what runs in it answers on port 8080, unless it only asks. */
export interface ShopPod {
  readonly namespace: string;
  readonly name: string;
  readonly app: string;
  /** Counted from 1. */
  readonly node: 1 | 2;
  readonly address: string;
  readonly ports?: readonly object[];
}

const webPorts: readonly object[] = [
  { name: 'http', containerPort: 8080 },
  { name: 'quic', containerPort: 8443, protocol: 'UDP' },
];

const shopPods: readonly ShopPod[] = [
  { namespace: 'shop', name: 'web-1', app: 'web', node: 1, address: '10.244.1.7', ports: webPorts },
  { namespace: 'shop', name: 'web-2', app: 'web', node: 2, address: '10.244.2.7', ports: webPorts },
  { namespace: 'shop', name: 'client-1', app: 'client', node: 1, address: '10.244.1.9' },
  { namespace: 'shop', name: 'client-2', app: 'client', node: 2, address: '10.244.2.9' },
  {
    namespace: 'kube-system',
    name: 'dns-1',
    app: 'dns',
    node: 2,
    address: '10.244.2.53',
    ports: [{ name: 'dns', containerPort: 53, protocol: 'UDP' }],
  },
];

export async function openShop(proxies: readonly [ProxyKind, ProxyKind]): Promise<Shop> {
  const cluster = await openCluster(proxies, { controllers: ['endpointslice-controller'] });
  const { api, plane } = cluster;
  const pods = new Map<string, Namespace>();
  const connects = (pod: string, address: string, port: number) => connectsFrom(pods.get(pod), address, port);
  const close = async () => {
    await Promise.all([...pods.values()].map((pod) => pod.close()));
    await cluster.close();
  };
  try {
    await Promise.all(cluster.nodes.map((node, at) => openPodNetwork(node, at + 1)));
    for (const name of ['shop', 'other']) await api.create('/api/v1/namespaces', { metadata: { name } });
    for (const namespace of ['shop', 'other', 'kube-system'])
      await api.create(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'default' } });
    for (const pod of shopPods) {
      pods.set(pod.name, await openPod(cluster.nodes[pod.node - 1] as ProxyNode, pod));
      await createPod(cluster, pod);
    }
    for (const name of ['web-1', 'web-2'])
      plane.start(pods.get(name) as Namespace, name, ['python3', '-m', 'http.server', '8080', '--bind', '::']);
    await api.create('/api/v1/namespaces/kube-system/services', dnsService);
    await api.create('/api/v1/namespaces/shop/services', webService);
    for (const address of [webAddress, webAddress6])
      await until(`the shop answers at ${address}`, 60_000, () => connects('client-1', address, 80));
  } catch (problem) {
    await close();
    throw problem;
  }
  return { ...cluster, pods, connects, close };
}

type ProxyKind = Pick<ProxyNode, 'version' | 'mode'>;

export const webAddress = '10.96.0.80';
export const webAddress6 = 'fd00:96::80';

export const webService = {
  metadata: { name: 'web' },
  spec: {
    clusterIP: webAddress,
    clusterIPs: [webAddress, webAddress6],
    ipFamilyPolicy: 'RequireDualStack',
    selector: { app: 'web' },
    ports: [
      { name: 'http', port: 80, targetPort: 'http' },
      { name: 'quic', port: 443, protocol: 'UDP', targetPort: 'quic' },
    ],
  },
};

const dnsService = {
  metadata: { name: 'kube-dns', labels: { 'k8s-app': 'kube-dns' } },
  spec: {
    clusterIP: '10.96.0.10',
    selector: { app: 'dns' },
    ports: [{ name: 'dns', port: 53, protocol: 'UDP' }],
  },
};

/** A bridge for Pods, and the way to those of the other node. */
async function openPodNetwork({ namespace }: ProxyNode, number: number): Promise<void> {
  const other = 3 - number;
  const lines = [
    'link add cni0 type bridge',
    'link set cni0 up',
    `addr add 10.244.${number}.1/24 dev cni0`,
    `route add 10.244.${other}.0/24 via 192.168.77.${10 + other}`,
    `addr add fd00:10:${number}::1/64 dev cni0 nodad`,
    `route add fd00:10:${other}::/64 via fd77::${10 + other}`,
  ];
  await runIn(namespace, ['ip', '-batch', '-'], `${lines.join('\n')}\n`);
}

/** Of a Pod that has this one of IPv4: `fd00:10:1::7`. */
function address6(address: string): string {
  const [, , node, own] = address.split('.');
  return `fd00:10:${node}::${own}`;
}

async function openPod(node: ProxyNode, { name, address }: ShopPod): Promise<Namespace> {
  const pod = await openNamespace(name);
  const link = `p${name}`;
  await runIn(
    node.namespace,
    ['ip', '-batch', '-'],
    `link add ${link} type veth peer name eth0 netns ${pod.pid}\nlink set ${link} master cni0 up\n`,
  );
  const gateway = address.replace(/\d+$/, '1');
  await runIn(
    pod,
    ['ip', '-batch', '-'],
    [
      `addr add ${address}/24 dev eth0`,
      `addr add ${address6(address)}/64 dev eth0 nodad`,
      'link set eth0 up',
      `route add default via ${gateway}`,
      `route add default via ${address6(gateway)}`,
      '',
    ].join('\n'),
  );
  return pod;
}

/** As its kubelet would report it. */
async function createPod({ api }: Cluster, { namespace, name, app, node, address, ports }: ShopPod): Promise<void> {
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  await api.create(pods, {
    metadata: { name, labels: { app } },
    spec: {
      nodeName: `n${node}`,
      containers: [{ name: app, image: app, ...(ports !== undefined && { ports }) }],
    },
  });
  await api.patch(`${pods}/${name}/status`, { status: runningStatus(address, true) });
}

export function runningStatus(address: string, isReady: boolean): object {
  const status = isReady ? 'True' : 'False';
  return {
    phase: 'Running',
    podIP: address,
    podIPs: [{ ip: address }, { ip: address6(address) }],
    conditions: ['Ready', 'ContainersReady'].map((type) => ({ type, status })),
  };
}

async function connectsFrom(pod: Namespace | undefined, address: string, port: number): Promise<boolean> {
  if (pod === undefined) throw new Error('no such Pod');
  const words = ['timeout', '1', 'bash', '-c', `exec 3<>/dev/tcp/${address}/${port}`];
  return runIn(pod, words).then(
    () => true,
    () => false,
  );
}
