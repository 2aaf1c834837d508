import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** Nodes of every version that is asked about without its version. */
const folder = mkdtempSync(join(tmpdir(), 'k8snet-version-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const node = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n1' },
  spec: { podCIDR: '10.244.1.0/24', podCIDRs: ['10.244.1.0/24'] },
  status: { addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] },
};

function service(name: string, host: number, more: object = {}, labels: object = {}): object {
  const clusterIP = `10.96.0.${host}`;
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'shop', labels },
    status: { loadBalancer: {} },
    spec: {
      clusterIP,
      clusterIPs: [clusterIP],
      selector: { app: name },
      ports: [{ port: 80, protocol: 'TCP' }],
      ...more,
    },
  };
}

interface Shown {
  readonly address: string;
  readonly nodeName: string;
  readonly conditions?: object;
}

function slice(name: string, endpoints: readonly Shown[], labels: object = {}): object {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: `${name}-1`, namespace: 'shop', labels: { 'kubernetes.io/service-name': name, ...labels } },
    addressType: 'IPv4',
    ports: [{ name: '', port: 8080, protocol: 'TCP' }],
    endpoints: endpoints.map(({ address, ...more }) => ({ addresses: [address], ...more })),
  };
}

const two: readonly Shown[] = [
  { address: '10.244.1.7', nodeName: 'n1' },
  { address: '10.244.2.7', nodeName: 'n2' },
];
const going = { ready: false, serving: true, terminating: true };

/** What versions treat otherwise: endpoints that go away, policies, labels that hide, an address that a slice has twice. */
const objects = [
  node,
  service('web', 10),
  slice('web', two),
  service('door', 11, {
    type: 'LoadBalancer',
    externalTrafficPolicy: 'Local',
    healthCheckNodePort: 30999,
    ports: [{ port: 80, protocol: 'TCP', nodePort: 30080 }],
  }),
  slice('door', [{ address: '10.244.2.8', nodeName: 'n2' }]),
  service('going', 12),
  slice('going', [{ address: '10.244.1.9', nodeName: 'n1', conditions: going }]),
  service('marked', 13, {}, { 'service.kubernetes.io/headless': '' }),
  slice('marked', [{ address: '10.244.1.10', nodeName: 'n1' }]),
  service('hidden', 14),
  slice('hidden', [{ address: '10.244.1.11', nodeName: 'n1' }], { 'service.kubernetes.io/service-proxy-name': 'own' }),
  service('empty', 15, { selector: {} }),
  slice('empty', []),
];
const file = join(folder, 'cluster.json');
writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));
const target = ['-f', file, '--node', 'n1', '--cluster-cidr', '10.244.0.0/16', '--family', 'ipv4'];

function dumpOf(mode: string, version: string): string {
  const path = join(folder, `${mode}-${version}`);
  const made = runCli(['compile', '-q', ...target, '--mode', mode, '--kube-version', version, '--out-dir', path]);
  assert.equal(made.status, 0, made.stderr);
  return path;
}

const kinds = [
  ['iptables', ['1.18', '1.21', '1.24', '1.26', '1.30', '1.34', '1.37']],
  ['ipvs', ['1.20', '1.24', '1.29', '1.34', '1.37']],
  ['nftables', ['1.29', '1.31', '1.34', '1.35', '1.37']],
] as const;

describe('a node whose version nobody names', () => {
  for (const [mode, versions] of kinds) {
    for (const version of versions) {
      it(`is in order if its version wrote its rules: ${mode} ${version}`, () => {
        const dump = dumpOf(mode, version);
        for (const more of [[], ['--compare', 'behaviour']]) {
          const { status, stdout, stderr } = runCli(['diff', ...target, ...more, dump]);
          assert.ok(!/^\d+ Services: .*(?:differ|missing)|(?:error|warning) K8N/m.test(stdout), stdout);
          if (more.length > 0) assert.equal(status, 0, stdout);
          else assert.match(stdout, /K8N501 no endpoints at all, so traffic is refused: it has no selector/);
          const said = /no version of kube-proxy was given: compared with (1\.\d+)/.exec(`${stdout}${stderr}`)?.[1];
          assert.equal(said === undefined, version === '1.37', `${stdout}${stderr}`);
        }
        const { stdout } = runCli(['why', ...target, dump, '--from', '10.244.1.7', '--to', '10.96.0.10:80']);
        assert.ok(!stdout.includes('otherwise than the manifests'), stdout);
      });
    }
  }

  it('is told to differ from a version that somebody names', () => {
    const { status, stdout, stderr } = runCli([
      'diff',
      ...target,
      '--kube-version',
      '1.37',
      '--compare',
      'behaviour',
      dumpOf('nftables', '1.34'),
    ]);
    assert.equal(status, 1, stdout);
    assert.ok(!stderr.includes('no version'), stderr);
  });
});
