import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, test } from 'node:test';
import { cidrContains, parseCidr } from '../../src/common/addresses/cidr.ts';
import { compile, compileForDump, diagnose, diff, load, loadTexts, readDump, toFiles } from '../../src/public/api.ts';
import { orThrow, told } from '../../src/public/result.ts';
import { createAddressMap } from '../../src/redact/addressMap.ts';
import { redactFiles, type SnapshotFile } from '../../src/redact/redactFiles.ts';
import { newRedaction } from '../../src/redact/redaction.ts';
import { redactText } from '../../src/redact/redactText.ts';
import { redactComment } from '../../src/redact/redactWords.ts';
import { root } from '../support/compileCase.ts';
import { drawn } from '../support/drawn.ts';
import { healthyNames, readHealthyCase } from '../support/healthy/healthyCase.ts';
import { plantFault, usualFaults } from '../support/healthy/plantFault.ts';

const report = () => {};

/** A snapshot of the case: its objects, and the dump with a fault. */
async function snapshotOf(manifests: string, paths: readonly string[]): Promise<readonly SnapshotFile[]> {
  const { objects } = await told(load([manifests]), report);
  const items = objects.map(({ apiVersion, kind, value }) => ({ apiVersion, kind, ...value }));
  const dumps = paths.map((path, at) => ({
    name: `n1/dumps/${at}.${path.split('/').at(-1)}`,
    text: readFileSync(path, 'utf8'),
  }));
  return [{ name: 'cluster/all.json', text: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) }, ...dumps];
}

/** What doctor and diff say of a snapshot, without names. */
async function findingsOf(files: readonly SnapshotFile[], args: readonly string[]): Promise<readonly string[]> {
  const said: string[] = [];
  const report = ({ message }: { readonly message: string }) => said.push(message);
  const [objectFile, ...dumps] = files;
  const { objects } = await told(loadTexts([{ name: 'cluster.json', text: objectFile?.text ?? '' }]), report);
  const node = objects.find(({ kind }) => kind === 'Node')?.value.metadata as { readonly name?: string } | undefined;
  const dump = await orThrow(readDump(dumps, { name: 'n' }));
  const option = (name: string) => args[args.indexOf(name) + 1];
  const expected = await told(
    compileForDump(objects, dump, {
      ...(args.includes('--mode') && { mode: option('--mode') as 'iptables' }),
      ...(args.includes('--kube-version') && { kubeVersion: option('--kube-version') }),
      ...(node?.name !== undefined && { node: node.name }),
    }),
    report,
  );
  assert.ok(expected, said.join('\n'));
  const reports = [await orThrow(diagnose(dump)), await orThrow(diff(expected, { level: 'rules' }))];
  return reports.flatMap(({ findings, changes, summary, unread }) => [
    ...findings.map(({ code, severity }) => `${code} ${severity}`).sort(),
    // How many Services a rule of another program reaches depends on which endpoint is the first.
    `${changes.length} changes, ${unread.length} unread, ${summary.services} Services, ${summary.missing + summary.extra} missing or extra`,
  ]);
}

/** Names of objects and labels that somebody chose, and addresses that are not of every cluster. */
function secretsOf(files: readonly SnapshotFile[]): readonly string[] {
  const all = files.map(({ text }) => text).join('\n');
  const addresses = all.match(/\b(?:10|172|192|203)\.\d{1,3}\.\d{1,3}\.\d{1,3}\b|\bfd[0-9a-f]{2}:[0-9a-f:]+\b/g) ?? [];
  return [...new Set(addresses)];
}

describe('a redacted snapshot says the same', () => {
  for (const name of healthyNames()) {
    it(name, async () => {
      const healthy = readHealthyCase(name);
      const manifests = join(healthy.folder, 'manifests.yaml');
      const folder = join(healthy.folder, 'node');
      const whole = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name));
      const args = healthy.args.filter((_, at) => !['--cluster-cidr'].includes(healthy.args[at] ?? ''));
      for (const paths of [whole, ...drawn(usualFaults(healthy)).map((fault) => plantFault(healthy, fault))]) {
        const given = await snapshotOf(manifests, paths);
        const { files, leftOut } = redactFiles(given, 'secret');
        assert.deepEqual(leftOut, []);
        assert.deepEqual(await findingsOf(files, args), await findingsOf(given, args));
        const shown = files.map(({ text }) => text).join('\n');
        const kept = secretsOf(given).filter((address) => new RegExp(`(?<![\\w.:])${address}(?![\\w.:])`).test(shown));
        // Of thousands of addresses some are mapped to others that there are.
        assert.ok(
          kept.length <= secretsOf(given).length / 4,
          `${kept.length} of ${secretsOf(given).length}: ${kept.slice(0, 5)}`,
        );
        assert.doesNotMatch(shown, /\bshop\b/);
      }
    });
  }
});

test('addresses keep their networks and their sort', () => {
  const map = createAddressMap('secret');
  const of = (text: string) => map.of(text) ?? assert.fail(text);
  for (const stays of [
    '127.0.0.1',
    '0.0.0.0/0',
    '169.254.20.10',
    '224.0.0.251',
    '255.255.255.255',
    '::1',
    '::/0',
    'ff02::1',
  ])
    assert.equal(of(stays), stays);
  for (const [address, network] of [
    ['10.244.1.7', '10.244.1.0/24'],
    ['10.244.1.7', '10.244.0.0/16'],
    ['172.18.0.5', '172.16.0.0/12'],
    ['192.168.3.4', '192.168.0.0/16'],
    ['fd00:10::7', 'fd00:10::/64'],
    ['2001:db8::1', '2001:db8::/32'],
    ['100.64.3.1', '100.64.0.0/10'],
  ] as const) {
    assert.ok(cidrContains(of(network), of(address)), `${of(address)} in ${of(network)}`);
    assert.notEqual(of(address), address);
    assert.ok(parseCidr(of(network)));
  }
  assert.match(of('10.244.1.7'), /^10\./);
  assert.match(of('172.18.0.5'), /^172\.(?:1[6-9]|2\d|3[01])\./);
  assert.match(of('fd00:10::7'), /^fd/);
  assert.ok(!cidrContains(of('10.96.0.0/16'), of('10.244.1.7')));
  assert.equal(map.of('10.244.1.7/24')?.replace(/\/24$/, ''), of('10.244.1.7'));
  assert.equal(map.of('10:20'), undefined);
  assert.equal(map.of('300.1.1.1'), undefined);
  assert.notEqual(createAddressMap('other').of('10.244.1.7'), of('10.244.1.7'));
});

test('comments keep usual words alone', () => {
  const redaction = newRedaction('secret');
  const text = redactComment('acme/shop-eu:api has no endpoints, see TICKET-7 (bob)', redaction);
  assert.equal(text, 'ns-1/svc-1:port-1 has no endpoints, word-1 word-2 (word-3)');
  assert.equal(
    redactComment('kubernetes service nodeports; NOTE: this must be the last rule in this chain', redaction),
    'kubernetes service nodeports; NOTE: this must word-4 the last rule in this chain'.replace('word-4', 'be'),
  );
});

test('hostile and odd lines come through as they are, without their names', () => {
  const redaction = newRedaction('secret');
  redaction.names.of('acme', 'ns');
  for (const line of [
    '',
    ':KUBE-SERVICES - [12:345]',
    '# Generated by iptables-save v1.8.9 on Tue Nov 24 14:00:00 2026',
    'COMMIT',
    '\ttype filter hook forward priority filter; policy drop;',
  ])
    assert.equal(redactText(line, redaction), line);
  assert.doesNotMatch(
    redactText('-A X -m comment --comment "acme \\"$(reboot)\\" \u001b[31m" -j DROP', redaction),
    /acme|reboot/,
  );
  assert.match(
    redactText('link/ether 52:54:00:12:34:56 brd ff:ff:ff:ff:ff:ff', redaction),
    /^link\/ether 02:(?:[0-9a-f]{2}:){4}[0-9a-f]{2} brd ff:ff:ff:ff:ff:ff$/,
  );
});

test('what kube-proxy writes into comments stays, in every version and mode', () => {
  const folder = join(root, 'golden/recorded');
  const changed = new Set<string>();
  let comments = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\.(?:json|yaml)$/.test(entry.name)) continue;
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    for (const [, comment = ''] of text.matchAll(/comment "([^"]*)"/g)) {
      comments += 1;
      // Names and addresses are another matter.
      const words = comment
        .split(' ')
        .filter((word) => !/[/\d\\]/.test(word))
        .join(' ');
      if (redactComment(words, newRedaction('secret')) !== words) changed.add(words);
    }
  }
  assert.ok(comments > 1000);
  assert.deepEqual([...changed], []);
});

describe('many endpoints, and a Service that is gone', () => {
  const web = { kind: 'Service', apiVersion: 'v1', metadata: { name: 'acme-web', namespace: 'acme' } };
  const addresses = (prefix: string) => [9, 10, 11, 100, 101, 20].map((end) => `${prefix}${end}`);
  const slice = (ips: readonly string[], addressType: string, name: string) => ({
    kind: 'EndpointSlice',
    apiVersion: 'discovery.k8s.io/v1',
    metadata: { name, namespace: 'acme', labels: { 'kubernetes.io/service-name': name.slice(0, -2) } },
    addressType,
    ports: [{ name: 'quic-eu', port: 8443, protocol: 'UDP' }],
    endpoints: ips.map((ip) => ({ addresses: [ip], conditions: { ready: true } })),
  });
  const spec = (ips: readonly string[], nodePort: number) => ({
    clusterIP: ips[0],
    clusterIPs: ips,
    ipFamilyPolicy: 'RequireDualStack',
    ipFamilies: ['IPv4', 'IPv6'],
    type: 'LoadBalancer',
    sessionAffinity: 'ClientIP',
    loadBalancerSourceRanges: ['203.0.113.0/24'],
    ports: [{ name: 'quic-eu', port: 443, protocol: 'UDP', nodePort }],
  });
  const items = [
    {
      kind: 'Node',
      apiVersion: 'v1',
      metadata: { name: 'worker-eu-7' },
      status: { addresses: [{ type: 'InternalIP', address: '192.168.10.1' }] },
    },
    {
      ...web,
      spec: spec(['10.96.3.7', 'fd00:96::7'], 30443),
      status: { loadBalancer: { ingress: [{ ip: '203.0.113.80' }] } },
    },
    slice(addresses('10.244.1.'), 'IPv4', 'acme-web-1'),
    slice(addresses('fd00:10::'), 'IPv6', 'acme-web-2'),
  ];
  const old = [
    { ...web, metadata: { name: 'acme-old', namespace: 'acme' }, spec: spec(['10.96.3.8', 'fd00:96::8'], 30444) },
    slice(['10.244.7.7'], 'IPv4', 'acme-old-1'),
  ];
  for (const mode of ['iptables', 'nftables', 'ipvs'] as const)
    it(mode, async () => {
      const text = (all: readonly object[]) => JSON.stringify({ apiVersion: 'v1', kind: 'List', items: all });
      const { objects } = await told(loadTexts([{ name: 'all.json', text: text([...items, ...old]) }]), report);
      const options = { mode, kubeVersion: '1.33', node: 'worker-eu-7', clusterCIDR: '10.244.0.0/16,fd00:10::/64' };
      const said: string[] = [];
      const compiled = await told(compile(objects, options), ({ message }) => said.push(message));
      assert.ok(compiled, said.join('\n'));
      const { all } = await orThrow(toFiles(compiled), report);
      const dumps = all
        .filter(({ form }) => form === 'save' || form === 'state')
        .map(({ name, text: pieces }) => ({ name: `worker-eu-7/dumps/${name}`, text: [...pieces()].join('') }));
      assert.ok(dumps.length > 0);
      const given: SnapshotFile[] = [{ name: 'cluster/all.json', text: text(items) }, ...dumps];
      const { files } = redactFiles(given, 'secret');
      const args = ['--mode', mode, '--kube-version', '1.33'];
      const before = await findingsOf(given, args);
      assert.deepEqual(await findingsOf(files, args), before);
      assert.ok(before.length > 2, 'the Service that is gone is found');
      assert.doesNotMatch(
        files.map(({ name, text: shown }) => name + shown).join('\n'),
        /acme|quic|worker|10\.244\.1\.|10\.96\.3\.|203\.0\.113\.80|fd00:10::/,
      );
    });
});
