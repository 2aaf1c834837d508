import type { HereReading } from '../../src/live/node/readHere.ts';
import { compile, loadTexts, toFiles } from '../../src/public/core.ts';
import { orThrow, told } from '../../src/public/result.ts';
import {
  configMapsPath,
  type FakeCluster,
  type FakeObject,
  nodesPath,
  rangesPath,
  servicesPath,
  slicesPath,
} from './fakeCluster.ts';

/** A cluster of one node and some Services, and what kube-proxy writes for it. */
export function fillCluster(cluster: FakeCluster, services = 3): void {
  cluster.put(nodesPath, nodeObject);
  cluster.put(rangesPath, { metadata: { name: 'kubernetes' }, spec: { cidrs: ['10.96.0.0/16'] } });
  cluster.put(configMapsPath, {
    metadata: { name: 'kube-proxy', namespace: 'kube-system' },
    data: {
      'config.conf':
        'apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: iptables\nclusterCIDR: 10.244.0.0/16\n',
    },
  });
  for (let number = 1; number <= services; number += 1) putService(cluster, `web-${number}`, number);
}

export const nodeObject: FakeObject = {
  metadata: { name: 'n1', uid: 'node-uid' },
  spec: { podCIDRs: ['10.244.1.0/24'], podCIDR: '10.244.1.0/24' },
  status: {
    addresses: [{ type: 'InternalIP', address: '192.168.77.11' }],
    nodeInfo: { kubeletVersion: 'v1.36.3', kubeProxyVersion: 'v1.36.3' },
  },
};

export function putService(cluster: FakeCluster, name: string, number: number, endpoint = 7): void {
  const metadata = { name, namespace: 'shop' };
  cluster.put(servicesPath, {
    metadata,
    spec: {
      type: 'ClusterIP',
      clusterIP: `10.96.0.${number}`,
      clusterIPs: [`10.96.0.${number}`],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 8080 }],
    },
  });
  cluster.put(slicesPath, {
    metadata: { ...metadata, name: `${name}-x`, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    endpoints: [{ addresses: [`10.244.1.${endpoint}`], conditions: { ready: true }, nodeName: 'n1' }],
    ports: [{ name: '', port: 8080, protocol: 'TCP' }],
  });
}

/** What the node's programs print once kube-proxy wrote what the objects of now ask for. */
export async function rulesOf(cluster: FakeCluster): Promise<string> {
  const items: object[] = [];
  const kinds: readonly (readonly [string, string, string])[] = [
    [servicesPath, 'v1', 'Service'],
    [slicesPath, 'discovery.k8s.io/v1', 'EndpointSlice'],
    [nodesPath, 'v1', 'Node'],
  ];
  for (const [path, apiVersion, kind] of kinds) {
    const answer = await cluster.api.get(path);
    if (answer.kind !== 'found') throw new Error(`${path}: ${answer.message}`);
    for (const item of (JSON.parse(answer.text) as { readonly items: readonly object[] }).items)
      items.push({ apiVersion, kind, ...item });
  }
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
  const { objects } = await told(loadTexts([{ name: 'objects.json', text }]), () => {});
  const compiled = await told(
    compile(objects, { node: 'n1', mode: 'iptables', clusterCIDR: '10.244.0.0/16', configObjects: [] }),
    () => {},
  );
  if (compiled === undefined) throw new Error('the objects do not compile');
  const files = await orThrow(toFiles(compiled), () => {});
  const saved = files.all.find(({ name }) => name === 'iptables.v4.save');
  return [...(saved?.text() ?? [])].join('');
}

/** One reading of the node. */
export function readingOf(save: string): HereReading {
  const file = (name: `dumps/${string}`, text: string) => ({
    command: { where: 'node' as const, file: name, words: ['x'], what: 'rules' },
    bytes: Buffer.from(text),
  });
  return { answers: [file('dumps/iptables.nft.v4.save', save)], failed: new Set() };
}
