import type { ObjectStore } from '../../../src/agent/follow/objectStore.ts';
import { compile, loadTexts, toFiles } from '../../../src/public/core.ts';
import { orThrow, told } from '../../../src/public/result.ts';
import type { Dice } from '../../kernel/walk/dice.ts';

/** A number from 0 to below a limit. */
export type Random = Dice['below'];

interface Cased {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly [field: string]: unknown;
}

/** The objects of a cluster that tests change at random. */
export interface RandomCluster {
  readonly objects: () => readonly Cased[];
  /** Changes a Service or its endpoints, makes one or deletes one. */
  readonly change: () => void;
}

export const modes = ['iptables', 'nftables'] as const;
export type Mode = (typeof modes)[number];

export function randomCluster(mode: Mode, random: Random, store: ObjectStore): RandomCluster {
  const all = new Map<string, Cased>();
  const put = (object: Cased) => {
    const { kind, apiVersion, ...item } = object;
    all.set(keyOf(object), object);
    store.put(kind, { kind, apiVersion }, item);
  };
  const drop = (object: Cased) => {
    const { kind, apiVersion: _, ...item } = object;
    all.delete(keyOf(object));
    store.remove(kind, item);
  };
  for (const object of ground(mode)) put(object);
  let made = 0;
  const make = () => {
    made += 1;
    const service = serviceOf(made, random);
    put(service);
    if (random(5) > 0) put(sliceOf(service, random));
  };
  for (let count = 0; count < 6; count += 1) make();
  const change = () => {
    const services = [...all.values()].filter(({ kind }) => kind === 'Service');
    const service = services[random(services.length)];
    const kind = random(6);
    if (service === undefined || kind === 0) return make();
    const slice = [...all.values()].find(
      (object) => object.kind === 'EndpointSlice' && object.metadata.name === `${service.metadata.name}-1`,
    );
    if (kind === 1 && services.length > 3) {
      drop(service);
      if (slice !== undefined) drop(slice);
    } else if (kind === 2 && slice !== undefined) {
      drop(slice);
    } else if (kind === 3) {
      put({
        ...serviceOf(made, random),
        metadata: service.metadata,
        spec: { ...specOf(random), ...addressesOf(service) },
      });
    } else {
      put(sliceOf(service, random));
    }
  };
  return { objects: () => [...all.values()], change };
}

/** What the node's program prints once kube-proxy wrote what the objects ask for. */
export async function rulesOf(mode: Mode, objects: readonly Cased[]): Promise<string> {
  const text = JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects });
  const loaded = await told(loadTexts([{ name: 'objects.json', text }]), () => {});
  const compiled = await told(compile(loaded.objects, { node: 'n1', configObjects: [] }), () => {});
  if (compiled === undefined) throw new Error('the objects do not compile');
  const files = await orThrow(toFiles(compiled), () => {});
  const saved = files.all.find(({ name }) => name === (mode === 'iptables' ? 'iptables.v4.save' : 'nft.v4.save'));
  if (saved === undefined) throw new Error(files.all.map(({ name }) => name).join(' '));
  return [...saved.text()].join('');
}

export function fileOf(mode: Mode): string {
  return mode === 'iptables' ? 'dumps/iptables.nft.v4.save' : 'dumps/nft.txt';
}

function keyOf({ kind, metadata: { namespace, name } }: Cased): string {
  return `${kind} ${namespace}/${name}`;
}

function ground(mode: Mode): readonly Cased[] {
  return [
    {
      kind: 'Node',
      apiVersion: 'v1',
      metadata: { name: 'n1' },
      spec: { podCIDRs: ['10.244.1.0/24'], podCIDR: '10.244.1.0/24' },
      status: {
        addresses: [{ type: 'InternalIP', address: '192.168.77.11' }],
        nodeInfo: { kubeletVersion: 'v1.36.3', kubeProxyVersion: 'v1.36.3' },
      },
    },
    {
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'kube-proxy', namespace: 'kube-system' },
      data: {
        'config.conf': `apiVersion: kubeproxy.config.k8s.io/v1alpha1\nkind: KubeProxyConfiguration\nmode: ${mode}\nclusterCIDR: 10.244.0.0/16\n`,
      },
    },
  ];
}

function serviceOf(number: number, random: Random): Cased {
  return {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: { name: `web-${number}`, namespace: 'shop' },
    spec: {
      ...specOf(random),
      clusterIP: `10.96.1.${number}`,
      clusterIPs: [`10.96.1.${number}`],
    },
  };
}

function addressesOf({ spec }: Cased) {
  const { clusterIP, clusterIPs } = spec as { readonly clusterIP: string; readonly clusterIPs: readonly string[] };
  return { clusterIP, clusterIPs };
}

let lastNodePort = 30_000;

function specOf(random: Random) {
  const type = ['ClusterIP', 'NodePort', 'LoadBalancer'][random(3)] as string;
  const port = (name: string, number: number) => {
    lastNodePort = lastNodePort === 32_767 ? 30_000 : lastNodePort + 1;
    const nodePort = type === 'ClusterIP' ? {} : { nodePort: lastNodePort };
    return { name, port: number, protocol: 'TCP', targetPort: 8080, ...nodePort };
  };
  return {
    type,
    ipFamilies: ['IPv4'],
    ipFamilyPolicy: 'SingleStack',
    ports: [port('http', 80), ...(random(3) === 0 ? [port('more', 81)] : [])],
    ...(random(4) === 0 && { externalIPs: [`192.0.2.${random(4)}`] }),
    ...(random(4) === 0 && { sessionAffinity: 'ClientIP' }),
    ...(random(4) === 0 && type !== 'ClusterIP' && { externalTrafficPolicy: 'Local' }),
    ...(random(4) === 0 && { internalTrafficPolicy: 'Local' }),
  };
}

function sliceOf({ metadata: { name, namespace } }: Cased, random: Random): Cased {
  const endpoints = Array.from({ length: random(5) }, () => ({
    addresses: [`10.244.${random(3)}.${random(30)}`],
    conditions: { ready: random(5) > 0 },
    nodeName: random(2) === 0 ? 'n1' : 'n2',
  }));
  return {
    kind: 'EndpointSlice',
    apiVersion: 'discovery.k8s.io/v1',
    metadata: {
      name: `${name}-1`,
      ...(namespace !== undefined && { namespace }),
      labels: { 'kubernetes.io/service-name': name },
    },
    addressType: 'IPv4',
    endpoints,
    ports: ['http', 'more'].map((port) => ({ name: port, port: 8080, protocol: 'TCP' })),
  };
}
