/** A made-up cluster of any size, the same for the same numbers. */
export interface ClusterSize {
  readonly services: number;
  readonly endpointsPerService: number;
}

export const benchNode = 'node-1';

/** The objects of the cluster one by one: a few Nodes, then each Service and its EndpointSlice (100 endpoints a slice). */
function* clusterObjects({ services, endpointsPerService }: ClusterSize): Generator<object> {
  for (let node = 1; node <= 3; node++) yield nodeObject(node);
  for (let at = 0; at < services; at++) {
    const name = `service-${at}`;
    const namespace = `team-${at % 50}`;
    yield serviceObject(name, namespace, at);
    for (let first = 0; first < endpointsPerService; first += 100) {
      yield sliceObject(name, namespace, at, first, Math.min(endpointsPerService, first + 100), endpointsPerService);
    }
  }
}

/** `kubectl get -o json`: one List. */
export function* clusterJson(size: ClusterSize): Generator<string> {
  yield '{"apiVersion":"v1","kind":"List","items":[\n';
  let separator = '';
  for (const object of clusterObjects(size)) {
    yield separator + JSON.stringify(object, null, 2);
    separator = ',\n';
  }
  yield '\n]}\n';
}

/** The same Services on many nodes, some of them with policy Local, which is what makes rules depend on the node. */
export function fleetJson(size: ClusterSize, nodes: number): string {
  let endpoint = 0;
  const rest = [...clusterObjects(size)].filter((object) => (object as { kind: string }).kind !== 'Node');
  for (const [at, object] of rest.entries()) {
    const { spec, endpoints = [] } = object as {
      spec?: Record<string, unknown>;
      endpoints?: { nodeName: string; zone: string }[];
    };
    if (spec !== undefined && at % 20 === 0) spec.internalTrafficPolicy = 'Local';
    for (const each of endpoints) {
      const node = 1 + ((endpoint * 7) % nodes);
      endpoint += 1;
      each.nodeName = `node-${node}`;
      each.zone = `zone-${node % 3}`;
    }
  }
  const own = Array.from({ length: nodes }, (_, at) => {
    const range = `10.${192 + (at >> 8)}.${at & 255}.0/24`;
    return { ...nodeObject(at + 1), spec: { podCIDR: range, podCIDRs: [range] } };
  });
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...own, ...rest] });
}

/** The same as multi-document YAML. */
export function* clusterYaml(size: ClusterSize): Generator<string> {
  for (const object of clusterObjects(size)) yield `---\n${yaml(object, '')}`;
}

function nodeObject(number: number): object {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `node-${number}`, labels: { 'topology.kubernetes.io/zone': `zone-${number}` } },
    spec: { podCIDR: `10.${127 + number}.0.0/16`, podCIDRs: [`10.${127 + number}.0.0/16`] },
    status: { addresses: [{ type: 'InternalIP', address: `192.168.10.${number}` }] },
  };
}

function serviceObject(name: string, namespace: string, at: number): object {
  const isNodePort = at % 20 === 0 && at < 20_000;
  // Every third Service has a second port, as in real clusters.
  const ports = [{ name: 'http', port: 80, targetPort: 8080, protocol: 'TCP' }];
  if (at % 3 === 0) ports.push({ name: 'metrics', port: 9090, targetPort: 9090, protocol: 'TCP' });
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      name,
      namespace,
      uid: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
      resourceVersion: String(1000 + at),
      creationTimestamp: '2024-05-01T08:00:00Z',
      labels: { app: name, 'app.kubernetes.io/managed-by': 'Helm' },
    },
    spec: {
      type: isNodePort ? 'NodePort' : 'ClusterIP',
      clusterIP: `10.${96 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`,
      clusterIPs: [`10.${96 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`],
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      selector: { app: name },
      sessionAffinity: 'None',
      ports: ports.map((port, index) => (isNodePort ? { ...port, nodePort: 30_000 + (at / 20) * 2 + index } : port)),
    },
    status: { loadBalancer: {} },
  };
}

function sliceObject(
  name: string,
  namespace: string,
  at: number,
  first: number,
  end: number,
  perService: number,
): object {
  const endpoints = [];
  for (let index = first; index < end; index++) {
    const number = at * perService + index;
    const node = 1 + (number % 3);
    endpoints.push({
      addresses: [`10.${128 + ((number >> 16) & 63)}.${(number >> 8) & 255}.${number & 255}`],
      conditions: { ready: true, serving: true, terminating: false },
      nodeName: `node-${node}`,
      zone: `zone-${node}`,
      targetRef: { kind: 'Pod', name: `${name}-${index}`, namespace },
    });
  }
  const ports = [{ name: 'http', port: 8080, protocol: 'TCP' }];
  if (at % 3 === 0) ports.push({ name: 'metrics', port: 9090, protocol: 'TCP' });
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      name: `${name}-${first}`,
      namespace,
      labels: { 'kubernetes.io/service-name': name },
    },
    addressType: 'IPv4',
    endpoints,
    ports,
  };
}

/** Enough YAML for these objects: block style, strings in quotes. */
function yaml(value: unknown, indent: string): string {
  if (Array.isArray(value)) {
    return value.map((item) => `${indent}- ${yaml(item, `${indent}  `).trimStart()}`).join('');
  }
  if (typeof value !== 'object' || value === null) return `${indent}${scalar(value)}\n`;
  return Object.entries(value)
    .map(([key, item]) => {
      if (typeof item !== 'object' || item === null) return `${indent}${key}: ${scalar(item)}\n`;
      if (Object.keys(item).length === 0) return `${indent}${key}: ${Array.isArray(item) ? '[]' : '{}'}\n`;
      return `${indent}${key}:\n${yaml(item, `${indent}  `)}`;
    })
    .join('');
}

function scalar(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
