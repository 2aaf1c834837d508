import type { Dice } from '../kernel/walk/dice.ts';
import type { Api } from './api.ts';

/**
 * Random changes to what kube-proxy follows, made through the API as people and controllers make them: Services of all
 * types and policies, EndpointSlices, labels of Nodes, ServiceCIDRs. Names come back, with other contents. Some are odd, but
 * the API server takes them: slices whose ports are not those of their Service, endpoints without conditions or with several
 * addresses, Services that are left to other programs, load balancers with a name instead of an address.
 */
export interface Churn {
  /** Makes some changes, and says which. */
  readonly round: () => Promise<readonly string[]>;
}

export async function beginChurn(api: Api, dice: Dice, nodes: readonly string[]): Promise<Churn> {
  await api.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
  const known = new Map<string, KnownService>();
  const place: Place = { api, dice, nodes, known };
  return {
    round: async () => {
      const done: string[] = [];
      const count = 3 + dice.below(8);
      for (let at = 0; at < count; at += 1) done.push(await change(place));
      return done;
    },
  };
}

interface KnownService {
  readonly name: string;
  readonly namespace: string;
  readonly ports: readonly ServicePort[];
  readonly families: readonly Family[];
  /** Names of its EndpointSlices. */
  readonly slices: readonly string[];
}

type Family = 'IPv4' | 'IPv6';

interface ServicePort {
  readonly name?: string;
  readonly port: number;
  readonly protocol: string;
  readonly targetPort: number;
}

interface Place {
  readonly api: Api;
  readonly dice: Dice;
  readonly nodes: readonly string[];
  readonly known: Map<string, KnownService>;
}

async function change(place: Place): Promise<string> {
  const { dice, known } = place;
  const name = `svc-${dice.below(10)}`;
  const namespace = dice.pick(['default', 'shop']);
  const service = known.get(`${namespace}/${name}`);
  if (dice.percent(4)) return relabel(place);
  if (dice.percent(4)) return toggleRange(place);
  if (service === undefined)
    return dice.percent(5) ? createAlias(place, namespace, name) : createService(place, namespace, name);
  if (dice.percent(20)) return removeService(place, service);
  if (dice.percent(25)) return editService(place, service);
  if (service.slices.length > 0 && dice.percent(30)) return removeSlice(place, service);
  if (service.slices.length > 0 && dice.percent(30)) return editSlice(place, service);
  return addSlice(place, service);
}

async function createService(place: Place, namespace: string, name: string): Promise<string> {
  const { api, dice, known } = place;
  const type = dice.pick(['ClusterIP', 'ClusterIP', 'ClusterIP', 'NodePort', 'LoadBalancer', 'LoadBalancer'] as const);
  const isHeadless = type === 'ClusterIP' && dice.percent(10);
  const families = dice.pick<readonly Family[]>([['IPv4'], ['IPv6'], ['IPv4', 'IPv6'], ['IPv6', 'IPv4']]);
  const ports = randomPorts(dice);
  const isOpen = type !== 'ClusterIP';
  const number = known.size + 20 * dice.below(10);
  const spec = {
    type,
    ports,
    ipFamilies: families,
    ipFamilyPolicy: families.length === 2 ? 'RequireDualStack' : 'SingleStack',
    ...(isHeadless && { clusterIP: 'None' }),
    ...(dice.percent(50) && { selector: { app: name } }),
    ...(dice.percent(20) && { internalTrafficPolicy: 'Local' }),
    ...(isOpen && dice.percent(40) && { externalTrafficPolicy: 'Local' }),
    ...(dice.percent(25) && {
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 10 + dice.below(5000) } },
    }),
    ...(dice.percent(20) && { trafficDistribution: 'PreferClose' }),
    ...(!isHeadless &&
      dice.percent(25) && { externalIPs: families.flatMap((family) => externalIPs(place, family, number)) }),
    ...(type === 'LoadBalancer' && dice.percent(40) && { loadBalancerSourceRanges: ranges(dice, families) }),
    ...(type === 'LoadBalancer' && dice.percent(20) && { allocateLoadBalancerNodePorts: false }),
  };
  await api.create(`/api/v1/namespaces/${namespace}/services`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, ...(dice.percent(6) && { labels: leftToOthers(dice) }) },
    spec,
  });
  if (type === 'LoadBalancer' && dice.percent(85)) {
    const ingress = dice.percent(10)
      ? [{ hostname: `${name}.lb.example.com` }]
      : families.flatMap((family) =>
          [outside(family, 'a', number), ...(dice.percent(15) ? [outside(family, 'c', number)] : [])].map((ip) => ({
            ip,
            ...(dice.percent(80) && { ipMode: dice.percent(85) ? 'VIP' : 'Proxy' }),
          })),
        );
    await api.patch(`/api/v1/namespaces/${namespace}/services/${name}/status`, {
      status: { loadBalancer: { ingress } },
    });
  }
  known.set(`${namespace}/${name}`, { namespace, name, ports, families, slices: [] });
  return `created ${type} ${namespace}/${name}`;
}

/** A name for another one: kube-proxy has nothing to do. */
async function createAlias({ api, known }: Place, namespace: string, name: string): Promise<string> {
  await api.create(`/api/v1/namespaces/${namespace}/services`, {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { type: 'ExternalName', externalName: 'db.example.com' },
  });
  known.set(`${namespace}/${name}`, { namespace, name, ports: [], families: ['IPv4'], slices: [] });
  return `created ExternalName ${namespace}/${name}`;
}

/** Sometimes two, and sometimes one that a node has, on a port of its own. */
function externalIPs({ dice, nodes }: Place, family: Family, number: number): readonly string[] {
  const own = outside(family, 'b', number);
  if (dice.percent(10)) return [own, outside(family, 'd', number)];
  return dice.percent(10) ? [nodeAddress(family, dice.below(nodes.length))] : [own];
}

function nodeAddress(family: Family, at: number): string {
  return family === 'IPv4' ? `192.168.77.${11 + at}` : `fd77::${11 + at}`;
}

/** kube-proxy does nothing for a Service with either label. */
function leftToOthers(dice: Dice): object {
  return dice.percent(50)
    ? { 'service.kubernetes.io/service-proxy-name': 'other' }
    : { 'service.kubernetes.io/headless': '' };
}

function randomPorts(dice: Dice): readonly ServicePort[] {
  const count = dice.pick([1, 1, 2, 3]);
  return Array.from({ length: count }, (_, at) => ({
    ...((count > 1 || dice.percent(50)) && { name: `p${at}` }),
    port: 80 + at * 100 + dice.below(50),
    protocol: dice.pick(['TCP', 'TCP', 'TCP', 'UDP', 'SCTP']),
    targetPort: 8000 + dice.below(50),
  }));
}

/** One address a Service and use: which of two that claim one gets it, nobody determines. */
function outside(family: Family, use: 'a' | 'b' | 'c' | 'd', number: number): string {
  const high = 1 + 'abcd'.indexOf(use);
  return family === 'IPv4' ? `203.0.${112 + high}.${number + 1}` : `2001:db8:${high}::${(number + 1).toString(16)}`;
}

function ranges(dice: Dice, families: readonly Family[]): readonly string[] {
  return families.flatMap((family) =>
    family === 'IPv4'
      ? dice.pick([
          ['198.51.100.0/24'],
          ['192.168.77.0/24', '10.0.0.0/8'],
          ['198.51.100.7/32'],
          ['0.0.0.0/0'],
          ['198.51.100.0/24', '198.51.100.0/25', '198.51.100.0/24'],
        ])
      : dice.pick([['2001:db8:77::/48'], ['fd77::/64', 'fd00::/8'], ['::/0']]),
  );
}

async function addSlice(place: Place, service: KnownService): Promise<string> {
  const { api, dice, nodes, known } = place;
  // One of a family that the Service has not, or of names, serves nobody.
  const isOdd = dice.percent(4);
  const family = isOdd ? dice.pick<Family>(['IPv4', 'IPv6']) : dice.pick(service.families);
  const name = `${service.name}-${dice.below(100_000)}`;
  const endpoints = randomEndpoints(dice, family, nodes);
  await api.create(`/apis/discovery.k8s.io/v1/namespaces/${service.namespace}/endpointslices`, {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, namespace: service.namespace, labels: { 'kubernetes.io/service-name': service.name } },
    addressType: family,
    endpoints,
    ports: slicePorts(dice, service.ports),
  });
  known.set(`${service.namespace}/${service.name}`, { ...service, slices: [...service.slices, name] });
  return `added ${endpoints.length} endpoints to ${service.namespace}/${service.name}`;
}

/** Mostly those of the Service; else without the last, with another name or protocol, or with a port more. */
function slicePorts(dice: Dice, ports: readonly ServicePort[]): readonly object[] {
  const own = ports.map(({ name, protocol, targetPort }) => ({ name: name ?? '', protocol, port: targetPort }));
  if (dice.percent(80)) return own;
  const [first] = own;
  return dice.pick([
    own.slice(0, -1),
    own.map((port, at) => (at === 0 ? { ...port, name: 'other' } : port)),
    own.map((port, at) => (at === 0 ? { ...port, protocol: port.protocol === 'UDP' ? 'TCP' : 'UDP' } : port)),
    own.map((port, at) => (at === 0 ? { name: port.name, protocol: port.protocol } : port)),
    [...own, { ...first, name: 'more', port: 9999 }],
  ]);
}

/** Sometimes one endpoint becomes ready, ends or goes: the slice is written anew, as its controller does. */
async function editSlice({ api, dice, nodes }: Place, service: KnownService): Promise<string> {
  const name = dice.pick(service.slices);
  const path = `/apis/discovery.k8s.io/v1/namespaces/${service.namespace}/endpointslices/${name}`;
  const { addressType } = (await api.get(path)) as { readonly addressType: Family };
  const endpoints = randomEndpoints(dice, addressType, nodes);
  await api.patch(path, { endpoints });
  return `${name} of ${service.namespace}/${service.name} has ${endpoints.length} endpoints now`;
}

/** One field that its owner may change while it lives. */
async function editService(place: Place, service: KnownService): Promise<string> {
  const { api, dice, known } = place;
  const path = `/api/v1/namespaces/${service.namespace}/services/${service.name}`;
  const { spec } = (await api.get(path)) as { readonly spec: Readonly<Record<string, unknown>> };
  if (spec.type === 'ExternalName') return serveAlias(place, service, path);
  const isOpen = spec.type !== 'ClusterIP' && spec.type !== undefined;
  const edits: readonly (readonly [string, object])[] = [
    ['internal policy', { internalTrafficPolicy: dice.pick(['Cluster', 'Local']) }],
    ['affinity', { sessionAffinity: 'None', sessionAffinityConfig: null }],
    [
      'affinity',
      { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 1 + dice.below(9000) } } },
    ],
    ['distribution', { trafficDistribution: dice.pick(['PreferClose', 'PreferSameZone', 'PreferSameNode', null]) }],
    ['not ready ones', { publishNotReadyAddresses: dice.percent(50) }],
    ...(isOpen
      ? ([
          ['external policy', { externalTrafficPolicy: dice.pick(['Cluster', 'Local']) }],
          ['type', dice.percent(50) ? { type: 'LoadBalancer' } : { type: 'NodePort', loadBalancerSourceRanges: null }],
        ] as const)
      : spec.clusterIP === 'None'
        ? []
        : ([['type', { type: 'NodePort' }]] as const)),
    ...(spec.type === 'LoadBalancer'
      ? ([
          ['source ranges', { loadBalancerSourceRanges: dice.percent(30) ? null : ranges(dice, service.families) }],
        ] as const)
      : []),
    ['ports', { ports: randomPorts(dice) }],
    ['families', { ipFamilyPolicy: dice.pick(['PreferDualStack', 'SingleStack']) }],
  ];
  const [what, edit] = dice.pick(edits);
  await api.patch(path, { spec: edit });
  if ('ports' in edit) {
    const ports = edit.ports as readonly ServicePort[];
    known.set(`${service.namespace}/${service.name}`, { ...service, ports });
  }
  return `changed the ${what} of ${service.namespace}/${service.name}`;
}

async function serveAlias({ api, dice, known }: Place, service: KnownService, path: string): Promise<string> {
  const ports = randomPorts(dice);
  await api.patch(path, { spec: { type: 'ClusterIP', externalName: null, ports } });
  known.set(`${service.namespace}/${service.name}`, { ...service, ports });
  return `made ${service.namespace}/${service.name} a ClusterIP`;
}

function randomEndpoints(dice: Dice, family: Family, nodes: readonly string[]): readonly object[] {
  return Array.from({ length: dice.below(6) }, () => endpoint(dice, family, nodes));
}

function endpoint(dice: Dice, family: Family, nodes: readonly string[]): object {
  const at = dice.below(nodes.length + 2);
  const node = nodes[at] ?? 'elsewhere';
  const isTerminating = dice.percent(20);
  const isServing = dice.percent(85);
  const zone = `z${1 + dice.below(2)}`;
  const number = 2 + dice.below(200);
  const isOfHost = at < nodes.length && dice.percent(8);
  const podAddress = (host: number) =>
    isOfHost
      ? nodeAddress(family, at)
      : family === 'IPv4'
        ? `10.244.${at + 1}.${host}`
        : `fd00:10:${at + 1}::${host.toString(16)}`;
  return {
    addresses: [podAddress(number), ...(!isOfHost && dice.percent(6) ? [podAddress(number + 1)] : [])],
    ...(dice.percent(93) && {
      conditions: { ready: isServing && !isTerminating, serving: isServing, terminating: isTerminating },
    }),
    ...(dice.percent(90) && { nodeName: node }),
    zone,
    ...(dice.percent(50) && {
      hints: { forZones: [{ name: zone }], ...(dice.percent(50) && { forNodes: [{ name: dice.pick(nodes) }] }) },
    }),
  };
}

async function removeSlice({ api, dice, known }: Place, service: KnownService): Promise<string> {
  const name = dice.pick(service.slices);
  await api.remove(`/apis/discovery.k8s.io/v1/namespaces/${service.namespace}/endpointslices/${name}`);
  const slices = service.slices.filter((one) => one !== name);
  known.set(`${service.namespace}/${service.name}`, { ...service, slices });
  return `removed a slice of ${service.namespace}/${service.name}`;
}

async function removeService({ api, known }: Place, service: KnownService): Promise<string> {
  const { namespace, name, slices } = service;
  await api.remove(`/api/v1/namespaces/${namespace}/services/${name}`);
  for (const slice of slices)
    await api.remove(`/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices/${slice}`);
  known.delete(`${namespace}/${name}`);
  return `removed ${namespace}/${name}`;
}

async function relabel({ api, dice, nodes }: Place): Promise<string> {
  const node = dice.pick(nodes);
  const zone = dice.pick(['z1', 'z2', null]);
  await api.patch(`/api/v1/nodes/${node}`, { metadata: { labels: { 'topology.kubernetes.io/zone': zone } } });
  return `moved ${node} to ${zone ?? 'no zone'}`;
}

async function toggleRange({ api }: Place): Promise<string> {
  const path = '/apis/networking.k8s.io/v1/servicecidrs';
  if ((await api.tryGet(`${path}/more`)) !== undefined) {
    await api.remove(`${path}/more`);
    return 'removed a ServiceCIDR';
  }
  const object = { apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', metadata: { name: 'more' } };
  await api.create(path, { ...object, spec: { cidrs: ['10.97.0.0/24', 'fd00:97::/112'] } });
  return 'added a ServiceCIDR';
}
