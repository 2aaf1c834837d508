/** A made-up cluster with policies, the same for the same numbers; a Node for every hundred Pods. */
export interface PolicyClusterSize {
  readonly pods: number;
  readonly namespaces: number;
  readonly policies: number;
}

export const policyBenchNode = 'node-1';

/** One JSON List, as kubectl prints it. Half of the policies find their peers by labels of namespaces. */
export function* policyClusterJson({ pods, namespaces, policies }: PolicyClusterSize): Generator<string> {
  const nodes = Math.ceil(pods / 100);
  const objects = function* () {
    for (let at = 0; at < nodes; at++) yield nodeObject(at);
    for (let at = 0; at < namespaces; at++) {
      yield {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: {
          name: `team-${at}`,
          labels: { stage: `stage-${at % 20}`, 'kubernetes.io/metadata.name': `team-${at}` },
        },
      };
    }
    for (let at = 0; at < pods; at++) yield podObject(at, at % namespaces, at % nodes);
    for (let at = 0; at < policies; at++) yield policyObject(at, at % namespaces);
  };
  yield '{"apiVersion":"v1","kind":"List","items":[\n';
  let separator = '';
  for (const object of objects()) {
    yield separator + JSON.stringify(object, null, 2);
    separator = ',\n';
  }
  yield '\n]}\n';
}

function nodeObject(at: number): object {
  const address = `192.168.${at >> 8}.${at & 255}`;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `node-${at}` },
    status: { addresses: [{ type: 'InternalIP', address }] },
  };
}

/** With what `kubectl get -o json` adds, so that reading costs what it costs. */
function podObject(at: number, namespace: number, node: number): object {
  const podIP = `10.${at >> 16}.${(at >> 8) & 255}.${at & 255}`;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `app-${at % 7}-${at}`,
      namespace: `team-${namespace}`,
      labels: { app: `app-${at % 7}`, tier: `tier-${at % 3}` },
      uid: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
      resourceVersion: String(1000 + at),
    },
    spec: {
      nodeName: `node-${node}`,
      containers: [
        {
          name: 'main',
          image: 'registry.example/app:1.0',
          ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
          resources: { requests: { cpu: '100m', memory: '64Mi' } },
          env: [{ name: 'STAGE', value: 'production' }],
        },
      ],
    },
    status: { phase: 'Running', podIP, podIPs: [{ ip: podIP }], conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

function policyObject(at: number, namespace: number): object {
  const across = {
    namespaceSelector: { matchLabels: { stage: `stage-${at % 20}` } },
    podSelector: { matchLabels: { tier: `tier-${at % 3}` } },
  };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: `policy-${at}`, namespace: `team-${namespace}` },
    spec: {
      podSelector: at % 2 === 0 ? { matchLabels: { app: `app-${at % 7}` } } : {},
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        {
          from: [at % 4 < 2 ? across : { podSelector: {} }],
          ports: [
            { port: 'http', protocol: 'TCP' },
            { port: 8000 + (at % 9), protocol: 'TCP' },
          ],
        },
      ],
      egress: [
        { to: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['10.0.0.0/8'] } }, across] },
        { ports: [{ port: 53, protocol: 'UDP' }] },
      ],
    },
  };
}
