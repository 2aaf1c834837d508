import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runCli } from '../../support/runCli.ts';

/** Ends a line, a quote, a comment and a command substitution of everything that is written. */
const evil = `x'"\`\n$(touch evil)\u001b[31m;#\\ 5 IN A 6.6.6.6\nnameserver 6.6.6.6\nexport EVIL=1`;

type Tree = { [key: string]: unknown };

const service = (spec: Tree, metadata: Tree = {}) => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 's', namespace: 'shop', ...metadata },
  spec: { clusterIP: '10.96.0.5', ports: [{ name: 'http', port: 80 }], ...spec },
});
const pod = (spec: Tree, metadata: Tree = {}, status: Tree = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'shop', ...metadata },
  spec: { containers: [{ name: 'c' }], ...spec },
  status: { phase: 'Running', podIP: '10.244.1.5', ...status },
});
const slice = (endpoint: Tree, rest: Tree = {}) => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name: 's-1', namespace: 'shop', labels: { 'kubernetes.io/service-name': 's' } },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.244.1.5'], ...endpoint }],
  ports: [{ name: 'http', port: 80 }],
  ...rest,
});

/** By the field that holds the text: the objects beside a plain Service and Pod. */
const inputs: Readonly<Record<string, readonly Tree[]>> = {
  'name of a Service': [service({}, { name: evil }), pod({})],
  'namespace of a Service': [service({}, { namespace: evil }), pod({})],
  'time of a Service': [
    service({}, { creationTimestamp: evil }),
    pod({}, { creationTimestamp: '2024-01-01T00:00:00Z' }),
  ],
  'annotation and label': [service({}, { annotations: { a: evil }, labels: { b: 'c' } }), pod({})],
  'name of a port': [service({ ports: [{ name: evil, port: 80 }] }), pod({})],
  'external name': [service({ type: 'ExternalName', clusterIP: null, externalName: evil }), pod({})],
  'hostname of an endpoint': [service({ clusterIP: 'None' }), slice({ hostname: evil }), pod({})],
  'target of an endpoint': [service({ clusterIP: 'None' }), slice({ targetRef: { kind: evil, name: evil } }), pod({})],
  'node of an endpoint': [service({ clusterIP: 'None' }), slice({ nodeName: evil }), pod({})],
  'address of an endpoint': [service({ clusterIP: 'None' }), slice({ addresses: [evil] }), pod({})],
  'port of an endpoint': [service({ clusterIP: 'None' }), slice({}, { ports: [{ name: evil, port: 1 }] }), pod({})],
  'hostname of a Pod': [service({}), pod({ hostname: evil })],
  'subdomain of a Pod': [service({}), pod({ hostname: 'h', subdomain: evil })],
  'name override of a Pod': [service({}), pod({ hostnameOverride: evil })],
  'node of a Pod': [service({}), pod({ nodeName: evil })],
  'alias of a Pod': [service({}), pod({ hostAliases: [{ ip: '10.0.0.1', hostnames: ['good', evil] }] })],
  'address of an alias': [service({}), pod({ hostAliases: [{ ip: evil, hostnames: ['good'] }] })],
  'address of a Pod': [service({}), pod({}, {}, { podIP: evil })],
  'phase of a Pod': [service({}), pod({}, {}, { phase: evil })],
  'DNS policy': [service({}), pod({ dnsPolicy: evil })],
  'DNS server': [service({}), pod({ dnsConfig: { nameservers: [evil] } })],
  'search name': [service({}), pod({ dnsConfig: { searches: [evil] } })],
  'name of an option': [service({}), pod({ dnsConfig: { options: [{ name: evil, value: '1' }] } })],
  'value of an option': [service({}), pod({ dnsConfig: { options: [{ name: 'ndots', value: evil }] } })],
  'own variable': [service({}), pod({ containers: [{ name: 'c', env: [{ name: evil, value: evil }] }] })],
  'prefix of variables': [
    service({}),
    pod({ containers: [{ name: 'c', envFrom: [{ prefix: evil, secretRef: { name: evil } }] }] }),
  ],
  'key of a ConfigMap': [
    service({}),
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'm', namespace: 'shop' }, data: { [evil]: evil } },
    pod({ containers: [{ name: 'c', envFrom: [{ configMapRef: { name: 'm' } }] }] }),
  ],
  'mount of a container': [
    service({}),
    pod({ containers: [{ name: evil, volumeMounts: [{ mountPath: '/etc/hosts' }] }] }),
  ],
};

const targets: readonly (readonly string[])[] = [
  ['dns', '--endpoint-pod-names', '--pods', 'verified'],
  ['env', '--pod', 'shop/p', '-o', 'export'],
  ['resolv.conf', '--pod', 'shop/p'],
  ['hosts', '--pod', 'shop/p'],
];

describe('hostile text in manifests', () => {
  for (const [field, objects] of Object.entries(inputs)) {
    it(`${field}: refused or inert`, () => {
      const input = objects.map((object) => JSON.stringify(object)).join('\n---\n');
      const out = mkdtempSync(join(tmpdir(), 'k8snet-hostile-'));
      try {
        for (const [target = '', ...args] of targets) {
          const made = runCli(['emit', target, '-f', '-', ...args], { input });
          assert.ok(made.status === 0 || made.status === 2, made.stderr);
          if (made.status === 2) assert.equal(made.stdout, '');
          const written = runCli(['emit', target, '-f', '-', ...args, '--out-dir', out], { input });
          const files = readdirSync(out).map((file) => readFileSync(join(out, file), 'utf8'));
          for (const text of [made.stdout, ...files]) assert.doesNotMatch(text, /touch|EVIL|6\.6\.6\.6|\u001b/);
          for (const text of [made.stderr, written.stderr]) assert.doesNotMatch(text, /\u001b/);
          if (target === 'env') assertInert(made.stdout, out);
        }
      } finally {
        rmSync(out, { recursive: true });
      }
    });
  }

  it('on the command line', () => {
    const input = JSON.stringify(service({}));
    for (const args of [
      ['dns', '--resolve', evil],
      ['dns', '--cluster-domain', evil],
      ['dns', '--dns-service', `kube-system/${evil}`],
      ['dns', '--namespaces', evil],
      ['env', '--namespace', evil, '-o', 'export'],
      ['env', '--pod', `shop/${evil}`],
      ['resolv.conf', '--pod', `shop/${evil}`],
      ['hosts', '--pod', 'shop/p', '--node-hosts', evil],
    ]) {
      const { stdout, stderr, status } = runCli(['emit', ...args, '-f', '-'], { input });
      assert.ok(status === 0 || status === 2, stderr);
      assert.doesNotMatch(stdout, /touch|EVIL|6\.6\.6\.6|\u001b/, args.join(' '));
      assert.doesNotMatch(stderr, /\u001b/);
    }
  });
});

/** A real shell reads the variables and has nothing else to show for it. */
function assertInert(script: string, folder: string): void {
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-eu', '-c', `${script}\nexec env`], {
    cwd: folder,
    encoding: 'utf8',
    env: {},
  });
  assert.equal(status, 0, stderr);
  for (const line of stdout.trim().split('\n')) assert.match(line, /^(?:S_|KUBERNETES_|PWD=|OLDPWD=|SHLVL=|_=)/);
  assert.ok(!readdirSync(folder).includes('evil'));
}
