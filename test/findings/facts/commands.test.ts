import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { root } from '../../support/compileCase.ts';
import { runCli } from '../../support/runCli.ts';

const scratch = mkdtempSync(join(tmpdir(), 'k8snet-facts-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const golden = (name: string) => join(root, 'golden/recorded/services/realistic-kube-system', name);
const folder = join(root, 'fixtures/services/realistic-kube-system');
const args = [
  ...readFileSync(join(folder, 'args'), 'utf8').trim().split(/\s+/),
  ...['--config', join(folder, 'config.yaml'), '--no-allocate', '--family', 'ipv4', '--kube-version', '1.30'],
];
const target = (mode: string) => ['-f', join(folder, 'manifests.yaml'), ...args, '--mode', mode];
const save = golden('iptables/iptables.v4.save');
const facts = (name: string) => join(root, 'fixtures/diff/facts', name);

function file(name: string, text: string): string {
  const path = join(scratch, name);
  writeFileSync(path, text);
  return path;
}

function run(words: readonly string[], input = '') {
  return runCli(words, { input });
}

/** Findings of a report in JSON, as `severity id seen`. */
function findings(words: readonly string[], input = '') {
  const { status, stdout, stderr } = run([...words, '-o', 'json'], input);
  assert.ok(stdout.startsWith('{'), stderr);
  const report = JSON.parse(stdout) as {
    findings: { id: string; severity: string; seen: string; isAdvice?: boolean; fix: string }[];
    unread: { line: number; text: string }[];
  };
  return { status, report, all: report.findings.map(({ id, severity, seen }) => `${severity} ${id} ${seen}`) };
}

const stuck =
  'udp      17 29 src=10.244.1.5 dst=10.96.0.10 sport=4 dport=53 [UNREPLIED] src=10.244.3.9 dst=10.244.1.5 sport=53 dport=4 use=1\n';
const good = stuck.replaceAll('10.244.3.9', '10.244.1.2');

describe('facts on the command line', () => {
  it('names stuck flows of standard input, with what could not be read, in diff and in doctor', () => {
    const rules = { iptables: save, nftables: golden('nftables/nft.v4.save') };
    for (const [mode, dump] of Object.entries(rules)) {
      for (const command of [
        ['diff', ...target(mode), dump],
        ['doctor', dump],
      ]) {
        const { status, report, all } = findings([...command, '--conntrack', '-'], `${stuck}what is \x1b[2J\n`);
        assert.equal(status, 1);
        assert.ok(
          all.includes(
            'error K8N511 a UDP flow to 10.96.0.10:53 goes to 10.244.3.9:53, which is not an endpoint: nothing answers',
          ),
          all.join('\n'),
        );
        assert.deepEqual(
          report.unread.map(({ line }) => line),
          [2],
        );
      }
    }
    const { stdout } = run(['doctor', save, '--conntrack', '-'], `${stuck}what is \x1b[2J\n`);
    assert.match(stdout, /`conntrack -D -p udp --orig-dst 10\.96\.0\.10 --orig-port-dst 53 --reply-src 10\.244\.3\.9`/);
    assert.match(stdout, /standard input:2 not a connection: what is \\x1b\[2J/);
    assert.ok(!stdout.includes('\x1b'));
  });

  it('takes connections in a folder of the node for what they are, and has its Service counted and asked for', () => {
    const both = [
      'diff',
      ...target('iptables'),
      save,
      file('udp.txt', stuck),
      '--conntrack',
      file('more.txt', stuck.replaceAll('port=4 ', 'port=5 ')),
    ];
    const { all } = findings(both);
    assert.ok(
      all.some((line) => line.includes('K8N511 2 UDP flows')),
      all.join('\n'),
    );
    assert.match(run(both).stdout, /^5 Services: 4 same, 1 differs/);
    const ids = (service: string) => findings([...both, '--service', service]).report.findings.map(({ id }) => id);
    assert.ok(ids('kube-system/kube-dns').includes('K8N511'));
    assert.ok(!ids('kube-system/metrics-server').includes('K8N511'));
  });

  it('finds nothing in flows that are as they should be', () => {
    const { status, all } = findings(['doctor', save, '--conntrack', '-'], good);
    assert.deepEqual([status, all], [0, []]);
  });

  it('names addresses that routes do not show on kube-ipvs0', () => {
    const rules = ['iptables.v4.save', 'ipset.v4.save', 'ipvsadm.v4.save'].map((name) => golden(`ipvs/${name}`));
    const addresses = readFileSync(golden('ipvs/addresses.v4'), 'utf8').match(/\d+\.\d+\.\d+\.\d+/g) as string[];
    const routes = (list: readonly string[]) =>
      file(
        'routes',
        [
          'default via 10.0.0.1 dev eth0',
          ...list.map((ip) => `local ${ip} dev kube-ipvs0 table local proto kernel scope host src ${ip} `),
          'local 127.0.0.0/8 dev lo table local',
        ].join('\n'),
      );
    const command = ['diff', ...target('ipvs'), ...rules, '--routes'];
    const whole = findings([...command, routes(addresses)]);
    assert.ok(
      whole.all.every((line) => !line.includes('K8N701')),
      whole.all.join('\n'),
    );
    const { status, all } = findings([
      ...command,
      routes([...addresses.filter((ip) => ip !== '10.96.0.10'), '10.99.9.9']),
    ]);
    assert.equal(status, 1);
    assert.ok(all.includes('error K8N701 kube-ipvs0 lacks 10.96.0.10'), all.join('\n'));
    assert.ok(all.includes('error K8N701 kube-ipvs0 has 10.99.9.9, which no Service has'));
    const alone = findings(['doctor', ...rules, '--routes', routes(addresses.slice(1))]).all;
    assert.ok(alone.includes(`error K8N701 kube-ipvs0 lacks ${addresses[0]}`), alone.join('\n'));
    const none = findings([...command, routes([])]).all;
    assert.ok(
      none.some((line) => /K8N701 kube-ipvs0 lacks .* and \d+ more/.test(line)),
      none.join('\n'),
    );
  });

  it('warns of ports without hairpin where a Service has a Pod on the node', () => {
    const seen = 'warning K8N403 hairpin is off on 1 of 2 veth ports of the bridge cni0';
    const bridge = ['--bridge', facts('bridge-d-link.txt')];
    assert.deepEqual(findings(['doctor', save, ...bridge]).all, [seen]);
    assert.ok(findings(['diff', ...target('iptables'), save, ...bridge]).all.includes(seen));
    const other = file('node-9.yaml', 'apiVersion: v1\nkind: Node\nmetadata: {name: node-9}\n');
    const elsewhere = ['diff', ...target('iptables'), '-f', other, '--node', 'node-9', save, ...bridge];
    assert.ok(!findings(elsewhere).all.includes(seen));
    const [finding] = findings(['doctor', save, ...bridge]).report.findings;
    assert.match(finding?.fix ?? '', /`bridge link set dev veth5e6f7a8b hairpin on`/);
    const empty = file('empty.save', '*nat\n:PREROUTING ACCEPT [0:0]\n:KUBE-SERVICES - [0:0]\nCOMMIT\n');
    assert.ok(!findings(['doctor', empty, ...bridge]).all.includes(seen));
  });

  it('refuses facts that there is nothing to compare with, and to read standard input twice', () => {
    const lone = run(['diff', save, save, '--conntrack', facts('conntrack-L.txt')]);
    assert.equal(lone.status, 2);
    assert.match(lone.stderr, /bad-option: --conntrack, --routes and --bridge need manifests/);
    const twice = run(['doctor', '-', '--conntrack', '-'], stuck);
    assert.equal(twice.status, 2);
    assert.match(twice.stderr, /bad-option: standard input can be read only once/);
    const missing = run(['doctor', save, '--routes', join(scratch, 'nowhere')]);
    assert.equal(missing.status, 2);
    assert.match(missing.stderr, /cannot-read/);
  });
});
