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

async function ofCase(name: string, version = '1.30'): Promise<readonly string[]> {
  return reports((await compileCase(`services/${name}`, '--mode', 'nftables', '--kube-version', version)).compiled);
}

async function ofManifests(manifests: readonly unknown[], version = '1.30'): Promise<readonly string[]> {
  const file = join(folder, 'manifests.json');
  writeFileSync(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: manifests }));
  const args = [
    '--mode',
    'nftables',
    '--node',
    'n',
    '--node-ip',
    '192.168.10.1',
    '--family',
    'ipv4',
    '--kube-version',
    version,
  ];
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

test('an interface that is matched by name needs nothing', async () => {
  for (const version of ['1.33.6', '1.34.2', '1.35', '1.36']) {
    assert.deepEqual(await ofCase('config-interface-prefix', version), [], version);
    assert.deepEqual(await ofCase('config-bridge-interface', version), [], version);
  }
  for (const version of ['1.29', '1.32.13', '1.33.5', '1.34.1']) {
    assert.match((await ofCase('config-interface-prefix', version))[0] ?? '', /^rules-not-loadable: /, version);
  }
});

test('node ports without an address are reported', async () => {
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

test('from 1.31 on the last of two Services with one external address gets its traffic', async () => {
  const shared = [service('a', '198.51.100.1'), service('b', '198.51.100.1'), service('c', '198.51.100.1')];
  const slices = [slice('a', '10.244.0.1'), slice('b', '10.244.0.2'), slice('c', '10.244.0.3')];
  assert.deepEqual(await ofManifests([...shared, ...slices], '1.31'), [
    'address-claimed-twice: default/b and default/a both claim 198.51.100.1 . tcp . 80 in map service-ips: kube-proxy gives it to the one that it writes last',
    'address-claimed-twice: default/c and default/b both claim 198.51.100.1 . tcp . 80 in map service-ips: kube-proxy gives it to the one that it writes last',
  ]);
});

function balancer(name: string, sourceRanges: readonly string[], ...ips: readonly string[]) {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace: 'default' },
    spec: { type: 'LoadBalancer', ports: [{ port: 80 }], loadBalancerSourceRanges: sourceRanges },
    status: { loadBalancer: { ingress: ips.map((ip) => ({ ip })) } },
  };
}

/** nft loads the first range, the own address, and then the others from the last to the second. */
const overlapping: readonly (readonly [readonly string[], RegExp | undefined])[] = [
  [['10.0.0.0/8', '10.1.0.0/16'], /203\.0\.113\.7 \. tcp \. 80 \. 10\.1\.0\.0\/16 overlaps/],
  [['10.1.0.0/16', '10.0.0.0/8'], undefined],
  [['172.16.0.0/12', '10.1.0.0/16', '10.0.0.0/8'], /10\.1\.0\.0\/16 overlaps/],
  [['172.16.0.0/12', '10.0.0.0/8', '10.1.0.0/16'], undefined],
  [['192.168.10.0/24', '203.0.113.0/24'], undefined],
  [['203.0.113.0/24', '192.168.10.0/24'], /203\.0\.113\.7 \. tcp \. 80 \. 203\.0\.113\.7 overlaps/],
];

for (const [ranges, expected] of overlapping) {
  test(`1.29 ${expected === undefined ? 'loads' : 'does not load'} the source ranges ${ranges.join(' ')}`, async () => {
    const [said, ...others] = await ofManifests([balancer('a', ranges, '203.0.113.7')], '1.29');
    assert.deepEqual(others, []);
    if (expected === undefined) assert.equal(said, undefined);
    else assert.match(said ?? '', expected);
    assert.deepEqual(await ofManifests([balancer('a', ranges, '203.0.113.7')], '1.30'), []);
  });
}

test('source ranges that 1.29 looks at too late are reported', async () => {
  const objects = [balancer('a', ['10.0.0.0/8'], '203.0.113.7'), slice('a', '10.244.0.1')];
  assert.match((await ofManifests(objects, '1.29'))[0] ?? '', /^source-ranges-ineffective: default\/a: /);
  assert.deepEqual(await ofManifests(objects, '1.30'), []);
  assert.deepEqual(await ofManifests(objects, '1.36'), []);
});

test('an address that nft cannot read, or reads as another, is reported where it is printed as written', async () => {
  const at = (address: string, version: string) =>
    ofManifests([service('a', '198.51.100.1'), slice('a', address)], version);
  assert.match((await at('10.244.0.010', '1.30'))[0] ?? '', /^nft-octal-address: .* 10\.244\.0\.010 as octal/);
  assert.match((await at('10.244.0.096', '1.30'))[0] ?? '', /^rules-not-loadable: .* cannot read 10\.244\.0\.096/);
  assert.deepEqual(await at('10.244.0.096', '1.31'), []);
});

test('a name that is too long for a comment of nft is reported, where there is a comment', async () => {
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
