import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** Services, EndpointSlices and NetworkPolicies without Pods: policies may be about the endpoints, whose labels nobody knows. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-unlisted-'));
after(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const service = (namespace: string, number: number, selector: string) => `---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: ${namespace}}
spec: {clusterIP: 10.96.0.${number}, ${selector}ports: [{name: http, port: 80}]}
`;
const slice = (namespace: string, address: string, target: string) => `---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: web-1, namespace: ${namespace}, labels: {kubernetes.io/service-name: web}}
addressType: IPv4
endpoints: [{addresses: [${address}], nodeName: n1${target}}]
ports: [{name: http, protocol: TCP, port: 8080}]
`;
const policy = (namespace: string, selector: string) => `---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: closed, namespace: ${namespace}}
spec: {podSelector: ${selector}}
`;
const node = `apiVersion: v1
kind: Node
metadata: {name: n1}
spec: {podCIDRs: [10.244.1.0/24]}
status: {addresses: [{type: InternalIP, address: 192.168.7.1}]}
`;
const cluster = write(
  'cluster.yaml',
  [
    node,
    service('shop', 10, ''),
    slice('shop', '10.244.1.10', ', targetRef: {kind: Pod, namespace: shop, name: web-a}'),
    policy('shop', '{matchLabels: {app: web}}'),
    // Without a Pod behind it: no policy selects it.
    service('outer', 11, ''),
    slice('outer', '198.51.100.7', ''),
    policy('outer', '{}'),
    service('open', 12, 'selector: {app: web}, '),
    slice('open', '10.244.1.12', ''),
    service('host', 13, ''),
    slice('host', '192.168.7.1', ', targetRef: {kind: Pod, namespace: host, name: agent}'),
    policy('host', '{}'),
    service('all', 14, 'selector: {app: web}, '),
    slice('all', '10.244.1.14', ''),
    policy('all', '{}'),
  ].join(''),
);
const given = ['-f', cluster];

describe('a policy about endpoints without Pods', () => {
  const test = (to: string, ...more: readonly string[]) =>
    runCli(['policy', 'test', ...given, '--from', '10.244.1.50', '--to', to, ...more]);

  for (const [to, port] of [
    ['svc/shop/web', '80'],
    ['10.244.1.10', '8080'],
  ] as const) {
    it(`leaves open whether it selects them (policy test --to ${to})`, () => {
      const { status, stdout } = test(to, '--port', port);
      assert.match(stdout, /ingress: unknown: the input does not show the labels of Pod shop\/web-a/);
      assert.equal(status, 3);
    });
  }
  it('selects them whatever their labels are', () => {
    const { status, stdout } = test('svc/all/web', '--port', '80');
    assert.match(stdout, /^denied: 10\.244\.1\.50 -> all\/10\.244\.1\.14/);
    assert.equal(status, 1);
  });
  it('does not select them where labels count as empty', () => {
    assert.equal(test('svc/shop/web', '--port', '80', '--assume-empty-labels').status, 0);
  });
  for (const [namespace, what] of [
    ['outer', 'no Pod'],
    ['open', 'a Pod of a namespace without policies'],
    ['host', 'a Pod with the address of its node'],
  ] as const) {
    it(`does not concern ${what}`, () => {
      const { status, stdout } = test(`svc/${namespace}/web`, '--port', '80');
      assert.match(stdout, /^allowed: /);
      assert.equal(status, 0);
    });
  }
  it('is not asked where Pods of the namespace are given', () => {
    const pod = write(
      'pod.yaml',
      'apiVersion: v1\nkind: Pod\nmetadata: {name: other, namespace: shop}\nspec: {containers: [{name: c, image: c}]}\n',
    );
    assert.equal(test('svc/shop/web', '--port', '80', '-f', pod).status, 0);
  });

  it('is unknown to check-service', () => {
    const { stdout } = runCli(['check-service', 'shop/web', ...given, '--from', '10.244.1.50']);
    assert.match(stdout, /4 NetworkPolicies: 0 of 1 sender may connect \(unknown: 10\.244\.1\.50\)/);
    assert.match(stdout, /→ give the objects whole: `kubectl get pods,namespaces -A -o yaml`/);
  });

  it('is unknown to why, by manifests alone and beside a dump', () => {
    const saved = runCli(['compile', ...given, '--node', 'n1', '--family', 'ipv4', '-q', '-o', 'save']).stdout;
    for (const dump of [[], [write('n1.save', saved)]]) {
      const ask = (to: string) =>
        runCli(['why', ...dump, ...given, '--node', 'n1', '--from', '10.244.1.50', '--to', to]);
      const { status, stdout, stderr } = ask('shop/web:http');
      assert.match(stdout, /Whether policies let it pass at Pod shop\/web-a is unknown: .* the labels of Pod/, stderr);
      assert.equal(status, 3);
      assert.equal(ask('open/web:http').status, 0);
    }
  });
});
