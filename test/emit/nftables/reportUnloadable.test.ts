import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Diagnostic } from '../../../src/diagnostics/diagnostic.ts';
import { reportUnloadable } from '../../../src/emit/nftables/reportUnloadable.ts';
import { compileCase, compileFiles } from '../../support/compileCase.ts';

const folder = mkdtempSync(join(tmpdir(), 'k8snet-unloadable-'));
after(() => rmSync(folder, { recursive: true }));

async function ofCase(name: string): Promise<readonly string[]> {
  return reports((await compileCase(`services/${name}`, '--mode', 'nftables')).compiled);
}

async function ofManifests(manifests: readonly unknown[]): Promise<readonly string[]> {
  const file = join(folder, 'manifests.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests }));
  const args = ['--mode', 'nftables', '--node', 'n', '--node-ip', '192.168.10.1', '--family', 'ipv4'];
  return reports((await compileFiles([file], args)).compiled);
}

function reports(compiled: Awaited<ReturnType<typeof compileFiles>>['compiled']): readonly string[] {
  const found: Diagnostic[] = [];
  const { plans, dialect } = compiled ?? assert.fail('not compiled');
  assert.ok(dialect.mode === 'nftables');
  for (const plan of plans) {
    reportUnloadable(plan, dialect.spelling, (diagnostic) => found.push(diagnostic));
  }
  return found.map(({ code, message }) => `${code}: ${message}`);
}

function service(name: string, externalIP: string, namespace = 'default') {
  const spec = { clusterIP: '', ports: [{ port: 80, nodePort: undefined }], externalIPs: [externalIP] };
  return { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace }, spec: { ...spec, clusterIP: undefined } };
}

function slice(name: string, address: string, namespace = 'default') {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, namespace, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    ports: [{ port: 8080 }],
    endpoints: [{ addresses: [address] }],
  };
}

test('an ordinary cluster has nothing to report', async () => {
  assert.deepEqual(await ofCase('realistic-boutique'), []);
});

test('an interface prefix cannot be loaded, a bridge must be there first', async () => {
  assert.match((await ofCase('config-interface-prefix'))[0] ?? '', /^rules-not-loadable: .*InterfaceNamePrefix/);
  assert.match((await ofCase('config-bridge-interface'))[0] ?? '', /^nft-bridge-needed: /);
});

test('node ports without an address are told', async () => {
  assert.match((await ofCase('nodeport-addresses-no-match'))[0] ?? '', /^node-ports-closed: /);
});

test('two Services with one external address and different verdicts are refused by the kernel', async () => {
  const shared = [service('a', '198.51.100.1'), service('b', '198.51.100.1')];
  const withEndpoints = [...shared, slice('a', '10.244.0.1'), slice('b', '10.244.0.2')];
  assert.deepEqual(await ofManifests(withEndpoints), [
    'rules-not-loadable: default/b and default/a both claim 198.51.100.1 . tcp . 80 in map service-ips: the kernel refuses all rules',
  ]);
  // Both lead to the reject chain: the same verdict twice is accepted.
  assert.deepEqual(await ofManifests(shared), []);
});

test('a name that is too long for a comment of nft is told, where there is a comment', async () => {
  const [namespace, name] = ['n'.repeat(63), 's'.repeat(63)];
  const port = { name: 'a2345', port: 80 };
  const long = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { ports: [port], selector: { app: 'none' } },
  };
  assert.match((await ofManifests([long]))[0] ?? '', /longer than the 128 bytes/);
});
