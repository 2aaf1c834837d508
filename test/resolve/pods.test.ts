import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Endpoint } from '../../src/model/endpoint.ts';
import { compileText } from '../support/compileText.ts';

const service = `
apiVersion: v1
kind: Service
metadata: { name: web, namespace: shop }
spec:
  clusterIP: 10.96.0.10
  selector: { app: web }
  ports:
  - { name: http, port: 80, targetPort: http }
  - { name: raw, port: 81, targetPort: 9000 }
`;

function pod(name: string, ip: string, further = '', spec = '', status = ''): string {
  return `---
apiVersion: v1
kind: Pod
metadata: { name: ${name}, namespace: shop, labels: { app: web }${further} }
spec:
  nodeName: n1
  containers: [{ name: c, ports: [{ name: http, containerPort: 8080 }] }]
${spec}
status:
  phase: Running
  podIP: ${ip}
  conditions: [{ type: Ready, status: "True" }]
${status}
`;
}

async function endpoints(text: string, portName: string, ...args: string[]): Promise<readonly Endpoint[]> {
  const { compiled } = await compileText(text, '--node', 'n1', ...args);
  return compiled.model.servicePorts.find((port) => port.portName === portName)?.endpoints ?? [];
}

const addresses = (found: readonly Endpoint[]) => found.map((endpoint) => endpoint.address);

describe('endpoints from Pods', () => {
  it('a named target port is looked up in each Pod, a number is taken as it is', async () => {
    const other = pod('b', '10.244.1.2').replace('containerPort: 8080', 'containerPort: 8081');
    const text = service + pod('a', '10.244.1.1') + other;
    assert.deepEqual(addresses(await endpoints(text, 'http')), ['10.244.1.1:8080', '10.244.1.2:8081']);
    assert.deepEqual(addresses(await endpoints(text, 'raw')), ['10.244.1.1:9000', '10.244.1.2:9000']);
  });

  it('a Pod without the named port is no endpoint for it, and the run says so', async () => {
    const text = service + pod('a', '10.244.1.1').replace('name: http', 'name: web');
    const { compiled, diagnostics } = await compileText(text, '--node', 'n1');
    const http = compiled.model.servicePorts.find((port) => port.portName === 'http');
    assert.deepEqual(http?.endpoints, []);
    assert.ok(diagnostics.some(({ code }) => code === 'named-port-missing'));
  });

  it('the Ready condition decides; none means not ready', async () => {
    const text =
      service +
      pod('a', '10.244.1.1') +
      pod('b', '10.244.1.2').replace('"True"', '"False"') +
      pod('c', '10.244.1.3').replace('  conditions: [{ type: Ready, status: "True" }]', '');
    assert.deepEqual(
      (await endpoints(text, 'raw')).map(({ isReady }) => isReady),
      [true, false, false],
    );
  });

  it('a Pod that goes away serves but is not ready; publishNotReadyAddresses takes it all the same', async () => {
    const leaving = pod('a', '10.244.1.1', ', deletionTimestamp: "2024-01-01T00:00:00Z"');
    const [endpoint] = await endpoints(service + leaving, 'raw');
    assert.deepEqual(
      [endpoint?.isReady, endpoint?.isServing, endpoint?.isTerminating, endpoint?.isLocal],
      [false, true, true, true],
    );
    const published = service.replace('selector:', 'publishNotReadyAddresses: true\n  selector:');
    assert.equal((await endpoints(published + leaving, 'raw'))[0]?.isReady, true);
  });

  it('Pods that have ended, have no address, other labels or another namespace are none', async () => {
    const text =
      service +
      pod('a', '10.244.1.1').replace('Running', 'Succeeded') +
      pod('b', '10.244.1.2').replace('  podIP: 10.244.1.2\n', '') +
      pod('c', '10.244.1.3').replace('app: web', 'app: api') +
      pod('d', '10.244.1.4').replace('namespace: shop', 'namespace: other');
    assert.deepEqual(await endpoints(text, 'raw'), []);
  });

  it('a Pod on the host network has the node as its address', async () => {
    const text =
      service +
      pod('a', '192.168.10.1', '', '  hostNetwork: true').replace(
        'containerPort: 8080',
        'containerPort: 8080, hostPort: 8080',
      );
    assert.deepEqual(addresses(await endpoints(text, 'http')), ['192.168.10.1:8080']);
  });

  it('every family has its own endpoints', async () => {
    const dual = service.replace(
      'clusterIP: 10.96.0.10',
      'clusterIPs: [10.96.0.10, "fd00:96::10"]\n  clusterIP: 10.96.0.10\n  ipFamilies: [IPv4, IPv6]\n  ipFamilyPolicy: RequireDualStack',
    );
    const text = dual + pod('a', '10.244.1.1', '', '', '  podIPs: [{ ip: 10.244.1.1 }, { ip: "fd00:244::1" }]');
    const { compiled } = await compileText(text, '--node', 'n1');
    const raw = compiled.model.servicePorts.filter((port) => port.portName === 'raw');
    assert.deepEqual(
      raw.flatMap((port) => addresses(port.endpoints)),
      ['10.244.1.1:9000', '[fd00:244::1]:9000'],
    );
  });

  it('EndpointSlices win over Endpoints, and these over Pods', async () => {
    const slice = `---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: web-1, namespace: shop, labels: { kubernetes.io/service-name: web } }
addressType: IPv4
ports: [{ name: raw, port: 1 }]
endpoints: [{ addresses: [10.244.1.5] }]
`;
    const legacy = `---
apiVersion: v1
kind: Endpoints
metadata: { name: web, namespace: shop }
subsets: [{ addresses: [{ ip: 10.244.1.6 }], ports: [{ name: raw, port: 2 }] }]
`;
    const all = service + pod('a', '10.244.1.1') + slice + legacy;
    assert.deepEqual(addresses(await endpoints(all, 'raw')), ['10.244.1.5:1']);
    assert.deepEqual(addresses(await endpoints(service + pod('a', '10.244.1.1') + legacy, 'raw')), ['10.244.1.6:2']);
    const unmirrored = legacy.replace(
      'name: web,',
      'name: web, labels: { endpointslice.kubernetes.io/skip-mirror: "true" },',
    );
    assert.deepEqual(addresses(await endpoints(service + pod('a', '10.244.1.1') + unmirrored, 'raw')), [
      '10.244.1.1:9000',
    ]);
  });
});

describe('assumed Pods', () => {
  const workload = (kind: string, spec: string) => `---
apiVersion: ${kind === 'ReplicationController' ? 'v1' : kind === 'Job' ? 'batch/v1' : 'apps/v1'}
kind: ${kind}
metadata: { name: web, namespace: shop }
spec:
  ${spec}
  selector: ${kind === 'ReplicationController' ? '{ app: web }' : '{ matchLabels: { app: web } }'}
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: c, image: i, ports: [{ name: http, containerPort: 8080 }] }] }
`;
  const nodes = ['n1', 'n2']
    .map(
      (name, at) => `---
apiVersion: v1
kind: Node
metadata: { name: ${name} }
spec: { podCIDR: 10.244.${at + 1}.0/24 }
status: { addresses: [{ type: InternalIP, address: 192.168.10.${at + 1} }] }
`,
    )
    .join('');

  it('replicas are spread over the Nodes, with addresses of their pod CIDRs', async () => {
    const text = service + workload('Deployment', 'replicas: 3') + nodes;
    assert.deepEqual(addresses(await endpoints(text, 'http', '--assume-pods')), [
      '10.244.1.10:8080',
      '10.244.2.10:8080',
      '10.244.1.11:8080',
    ]);
  });

  it('a DaemonSet has one on each Node; other kinds as many as they say', async () => {
    const count = async (kind: string, spec: string) =>
      (await endpoints(service + workload(kind, spec) + nodes, 'http', '--assume-pods')).length;
    assert.equal(await count('DaemonSet', 'minReadySeconds: 0'), 2);
    assert.equal(await count('StatefulSet', 'replicas: 4'), 4);
    assert.equal(await count('ReplicaSet', 'minReadySeconds: 0'), 1);
    assert.equal(await count('ReplicationController', 'replicas: 2'), 2);
    assert.equal(await count('Job', 'parallelism: 5'), 5);
  });

  it('--pod-cidr is where addresses come from, and what it cannot hold is an error', async () => {
    const text = service + workload('Deployment', 'replicas: 2');
    assert.deepEqual(addresses(await endpoints(text, 'http', '--assume-pods', '--pod-cidr', '10.9.0.0/16')), [
      '10.9.0.10:8080',
      '10.9.0.11:8080',
    ]);
    await assert.rejects(endpoints(text, 'http', '--assume-pods', '--pod-cidr', '10.9.0.0/29'), /no address is left/);
  });

  it('policies mean the Pods that endpoints are of, each told once', async () => {
    const policy = `---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: { name: deny, namespace: shop }
spec: { podSelector: {} }
`;
    const text = service + workload('Deployment', 'replicas: 3') + nodes + policy;
    const { compiled, diagnostics } = await compileText(text, '--assume-pods');
    const [port] = compiled.model.servicePorts;
    assert.deepEqual(
      compiled.policyManifests.pods.map(({ value }) => value.status?.podIPs?.[0]?.ip),
      port?.endpoints.map(({ ip }) => ip),
    );
    assert.equal(diagnostics.filter(({ code }) => code === 'assumed-pods').length, 1);
  });

  it('without the option there are none, and the hint names the workload', async () => {
    const { compiled, diagnostics } = await compileText(service + workload('Deployment', 'replicas: 2'));
    assert.ok(compiled.model.servicePorts.every((port) => port.endpoints.length === 0));
    assert.match(diagnostics.find(({ code }) => code === 'no-endpoints')?.hint ?? '', /--assume-pods.*Deployment web/);
  });
});

describe('--assume-pods beside Pods that are given', () => {
  const selector = 'selector: { matchLabels: { app: web } }';
  const template =
    'template: { metadata: { labels: { app: web } }, spec: { containers: [{ name: c, ports: [{ name: http, containerPort: 8080 }] }] } }';
  const deployment = `---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: shop }
spec: { replicas: 2, ${selector}, ${template} }
`;
  const replicaSet = (name: string, replicas: number) => `---
apiVersion: apps/v1
kind: ReplicaSet
metadata: { name: ${name}, namespace: shop, ownerReferences: [{ apiVersion: apps/v1, kind: Deployment, name: web, uid: a }] }
spec: { replicas: ${replicas}, ${selector}, ${template} }
`;
  const assumed = async (text: string, ...args: readonly string[]) =>
    addresses(await endpoints(service + text, 'http', '--assume-pods', ...args));

  it('starts no Pods of a workload whose Pods are there', async () => {
    assert.deepEqual(await assumed(deployment), ['10.244.0.10:8080', '10.244.0.11:8080']);
    assert.deepEqual(await assumed(deployment + pod('web-a', '10.244.3.3')), ['10.244.3.3:8080']);
    const owned = pod('web-6f-a', '10.244.3.3', ', pod-template-hash: 6f').replace(
      'metadata: {',
      'metadata: { ownerReferences: [{ kind: ReplicaSet, name: web-6f }],',
    );
    assert.deepEqual(await assumed(deployment + owned), ['10.244.3.3:8080']);
    // Of another workload, which has the same labels.
    const others = owned.replace('name: web-6f }', 'name: other-6f }');
    assert.deepEqual(await assumed(deployment + others), ['10.244.3.3:8080', '10.244.0.10:8080', '10.244.0.11:8080']);
    const finished = pod('web-a', '10.244.3.3').replace('phase: Running', 'phase: Failed');
    assert.deepEqual(await assumed(deployment + finished), ['10.244.0.10:8080', '10.244.0.11:8080']);
  });

  it('starts those of ReplicaSets, and not those of their Deployment as well', async () => {
    const sets = replicaSet('web-6f', 3) + replicaSet('web-5d', 0);
    assert.deepEqual(await assumed(deployment + sets), ['10.244.0.10:8080', '10.244.0.11:8080', '10.244.0.12:8080']);
  });

  it('gives out no address that somebody has', async () => {
    const others = `---
apiVersion: v1
kind: Pod
metadata: { name: other, namespace: elsewhere }
spec: { containers: [{ name: c }] }
status: { podIP: 10.244.0.10, phase: Running }
---
apiVersion: v1
kind: Endpoints
metadata: { name: legacy, namespace: elsewhere }
subsets: [{ addresses: [{ ip: 10.244.0.11 }], notReadyAddresses: [{ ip: 10.244.0.12 }], ports: [{ port: 1 }] }]
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: hand-made, namespace: elsewhere }
addressType: IPv4
endpoints: [{ addresses: [10.244.0.14] }]
ports: []
`;
    assert.deepEqual(await assumed(deployment + others), ['10.244.0.13:8080', '10.244.0.15:8080']);
  });

  it('gives an address to a Pod of a repository, which has no status', async () => {
    const bare = pod('web-a', '10.244.3.3').replace(/status:[\s\S]*$/, '');
    assert.deepEqual(await assumed(bare), ['10.244.0.10:8080']);
    assert.deepEqual(addresses(await endpoints(service + bare, 'http')), []);
    const pending = pod('web-a', '10.244.3.3').replace(/ {2}phase[\s\S]*$/, '  phase: Pending\n');
    assert.deepEqual(await assumed(pending), []);
  });
});
