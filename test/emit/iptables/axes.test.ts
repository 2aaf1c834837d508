import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { compileFiles } from '../../support/compileCase.ts';

let folder = '';
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'k8snet-axes-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

async function save(manifest: string, ...args: string[]): Promise<string> {
  const file = join(folder, 'manifest.yaml');
  writeFileSync(file, manifest);
  const result = await compileFiles([file], ['--node', 'n1', '--node-ip', '192.168.10.1', ...args]);
  assert.deepEqual(
    result.diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  );
  return result.text('iptables.v4.save');
}

const endpoints = `---
apiVersion: v1
kind: Endpoints
metadata: { name: web }
subsets: [{ addresses: [{ ip: 10.244.1.5, nodeName: n1 }], ports: [{ port: 8080 }] }]
`;

/** What no recording shows. */
describe('values of the dialect table', () => {
  const annotated = `
apiVersion: v1
kind: Service
metadata:
  name: web
  annotations:
    service.beta.kubernetes.io/external-traffic: OnlyLocal
    service.beta.kubernetes.io/load-balancer-source-ranges: 203.0.113.0/24, 198.51.100.0/25
spec:
  type: LoadBalancer
  clusterIP: 10.96.0.10
  ports: [{ port: 80, nodePort: 30080 }]
status: { loadBalancer: { ingress: [{ ip: 192.0.2.10 }] } }
${endpoints}`;

  it('annotations of 1.4–1.6 mean what fields mean later', async () => {
    const old = await save(annotated, '--kube-version', '1.5');
    assert.match(old, /-A KUBE-FW-\S+ -s 203\.0\.113\.0\/24 .* -j KUBE-XLB-/);
    assert.match(old, /-A KUBE-FW-\S+ -s 198\.51\.100\.0\/25 .* -j KUBE-XLB-/);
    assert.match(
      await save(annotated, '--kube-version', '1.4'),
      /-A KUBE-FW-\S+ -s 203\.0\.113\.0\/24 .* -j KUBE-SVC-/,
    );
    const later = await save(annotated, '--kube-version', '1.7');
    assert.doesNotMatch(later, /XLB|203\.0\.113/);
  });

  const nodePort = `
apiVersion: v1
kind: Service
metadata: { name: web }
spec:
  type: NodePort
  clusterIP: 10.96.0.10
  ports: [{ port: 80, nodePort: 30080 }]
${endpoints}`;

  it('nfacct does not count before 1.31', async () => {
    assert.match(await save(nodePort, '--kube-version', '1.31', '--nfacct'), /nfacct/);
    assert.doesNotMatch(await save(nodePort, '--kube-version', '1.30', '--nfacct'), /nfacct/);
  });

  it('an even share that ends in a five is rounded as Go rounds it', async () => {
    const many = Array.from({ length: 64 }, (_, at) => `{ ip: 10.244.1.${at + 1} }`).join(', ');
    const text = nodePort.replace(/addresses: \[.*?\], ports/, `addresses: [${many}], ports`);
    assert.match(await save(text, '--kube-version', '1.16'), /--probability 0\.01562000019 /);
    assert.match(await save(text, '--kube-version', '1.17'), /--probability 0\.01562500000 /);
  });

  it('hints of endpoints count as the version reads annotations', async () => {
    const hinted = (annotation: string) => `
apiVersion: v1
kind: Service
metadata: { name: web${annotation} }
spec: { clusterIP: 10.96.0.10, ports: [{ port: 80 }] }
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: web-1, labels: { kubernetes.io/service-name: web } }
addressType: IPv4
ports: [{ port: 8080 }]
endpoints:
- { addresses: [10.244.1.1], hints: { forZones: [{ name: a }] } }
- { addresses: [10.244.1.2], hints: { forZones: [{ name: b }] } }
---
apiVersion: v1
kind: Node
metadata: { name: n1, labels: { topology.kubernetes.io/zone: a } }
`;
    const hints = 'service.kubernetes.io/topology-aware-hints';
    const count = async (annotation: string, version: string) =>
      [...(await save(hinted(annotation), '--kube-version', version)).matchAll(/-j DNAT/g)].length;
    assert.equal(await count(`, annotations: { ${hints}: Auto }`, '1.23'), 2);
    assert.equal(await count(`, annotations: { ${hints}: Auto }`, '1.24'), 1);
    assert.equal(await count(`, annotations: { ${hints}: Other }`, '1.26'), 2);
    assert.equal(await count(`, annotations: { ${hints}: Other }`, '1.27'), 1);
    assert.equal(await count(', annotations: { service.kubernetes.io/topology-mode: Auto }', '1.30'), 1);
    assert.equal(await count('', '1.30'), 2);
    assert.equal(await count('', '1.31'), 1);
  });

  const slice = (name: string, port: number, ...endpoints: readonly string[]) => `---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: { name: ${name}, labels: { kubernetes.io/service-name: web } }
addressType: IPv4
ports: [{ port: ${port} }]
endpoints:
${endpoints.map((endpoint) => `- { addresses: [10.244.1.1], ${endpoint} }`).join('\n')}
`;
  const local = 'nodeName: n1';
  const terminating = 'conditions: { ready: false, serving: true, terminating: true }';
  const targets = (text: string) => [...text.matchAll(/--to-destination (\S+)/g)].map(([, target]) => target);

  it('an endpoint of two slices is the first one, unless a later one is local', async () => {
    const ready = (first: string, second: string) =>
      `${nodePort.split('---')[0]}${slice('a', 80, first)}${slice('b', 80, second)}`;
    const count = async (text: string, version: string) => targets(await save(text, '--kube-version', version)).length;
    const notReady = 'conditions: { ready: false }';
    // The slice named b comes later, wherever it stands in the file.
    const swapped = `${nodePort.split('---')[0]}${slice('b', 80, notReady)}${slice('a', 80, 'conditions: {}')}`;
    assert.equal(await count(swapped, '1.30'), 1);
    assert.equal(await count(ready('conditions: {}', notReady), '1.30'), 1);
    assert.equal(await count(ready('conditions: {}', `${local}, ${notReady}`), '1.30'), 0);
    assert.equal(await count(ready(local, `${local}, ${notReady}`), '1.35'), 0);
    // Through 1.20 an endpoint that is not ready is not known at all.
    assert.equal(await count(ready('conditions: {}', `${local}, ${notReady}`), '1.20'), 1);
  });

  it('from 1.36 on the later one counts, unless it is terminating', async () => {
    const text = (first: string, second: string) =>
      `${nodePort.split('---')[0]}${slice('a', 80, first)}${slice('b', 80, second)}`;
    const count = async (first: string, second: string, version: string) =>
      targets(await save(text(first, second), '--kube-version', version)).length;
    const notReady = 'conditions: { ready: false }';
    assert.equal(await count('conditions: {}', notReady, '1.35'), 1);
    assert.equal(await count('conditions: {}', notReady, '1.36'), 0);
    assert.equal(await count('conditions: {}', terminating, '1.36'), 1);
  });

  it('1.19 to 1.21 know an endpoint by its IP, other versions by IP and port', async () => {
    const text = `${nodePort.split('---')[0]}${slice('a', 80, 'conditions: {}')}${slice('b', 81, 'conditions: {}')}`;
    const of = async (version: string) => new Set(targets(await save(text, '--kube-version', version)));
    assert.deepEqual(await of('1.21'), new Set(['10.244.1.1:80']));
    assert.deepEqual(await of('1.19'), new Set(['10.244.1.1:80']));
    assert.deepEqual(await of('1.22'), new Set(['10.244.1.1:80', '10.244.1.1:81']));
    assert.deepEqual(await of('1.18'), new Set(['10.244.1.1:80', '10.244.1.1:81']));
  });

  it('external addresses are written as they stand in the Service from 1.23 to 1.29', async () => {
    const text = `
apiVersion: v1
kind: Service
metadata: { name: web }
spec:
  clusterIP: fd00::10
  externalIPs: [2001:db8:0:0::1]
  clusterIPs: [fd00::10]
  ipFamilies: [IPv6]
  ports: [{ port: 80 }]
`;
    const restore = async (version: string) => {
      const file = join(folder, 'manifest.yaml');
      writeFileSync(file, text);
      const args = ['--node', 'n1', '--node-ip', 'fd00::1', '--kube-version', version];
      return (await compileFiles([file], args)).text('iptables.v6.restore');
    };
    assert.match(await restore('1.22'), /-d 2001:db8::1\/128 /);
    assert.match(await restore('1.23'), /-d 2001:db8:0:0::1 /);
    assert.match(await restore('1.29'), /-d 2001:db8:0:0::1 /);
    assert.match(await restore('1.30'), /-d 2001:db8::1 /);
  });
});
