import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

const basic = 'golden/recorded/services/nodeport-basic/iptables/iptables.v4.save';
const text = readFileSync(join(root, basic), 'utf8');

describe('import', () => {
  it('prints the same from a file, standard input, Windows line ends and a compressed file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'import-'));
    try {
      const packed = join(folder, 'dump.gz');
      writeFileSync(packed, gzipSync(text));
      const ways = [
        runCli(['import', basic]),
        runCli(['import', '-'], { input: text }),
        runCli(['import', '-'], { input: text.replaceAll('\n', '\r\n') }),
        runCli(['import', packed]),
      ];
      const bodies = ways.map(({ status, stdout, stderr }) => {
        assert.equal(status, 0, stderr);
        return stdout.slice(stdout.indexOf('---'));
      });
      assert.equal(new Set(bodies).size, 1);
      assert.match(bodies[0] ?? '', /kind: Service\nmetadata:\n {2}namespace: default\n {2}name: front\n/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('makes no load balancer that the version refuses, as damaged rules may ask for', () => {
    const both = (start: string) => ['tcp', 'udp'].map((protocol) => `${start},${protocol}:80\n`).join('');
    const sets = ['CLUSTER-IP 10.96.0.1', 'LOAD-BALANCER 203.0.113.1'].map((set) => {
      const [name = ''] = set.split(' ');
      return `create KUBE-${name} hash:ip,port family inet\n${both(`add KUBE-${set}`)}`;
    });
    const servers = ['10.96.0.1', '203.0.113.1'].flatMap((ip) => [`-A -t ${ip}:80 -s rr\n`, `-A -u ${ip}:80 -s rr\n`]);
    const input = [...sets, ...servers].join('');
    for (const [version, type] of [
      ['1.19', 'ClusterIP'],
      ['1.20', 'LoadBalancer'],
    ]) {
      const args = ['import', '-', '--mode', 'ipvs', '--kube-version', version ?? ''];
      const { status, stdout, stderr } = runCli(args, { input });
      assert.equal(status, 0, stderr);
      assert.match(stdout, new RegExp(`^  type: ${type}\\b`, 'm'));
      assert.equal(/ingress:/.test(stdout), type === 'LoadBalancer', stdout);
      assert.equal(/no load balancer of this version/.test(stdout), type === 'ClusterIP', stdout);
    }
  });

  it('takes protocol and port of a load balancer from the table filter, and none from its health check', () => {
    const save = join(root, 'golden/recorded/services/lb-etp-local-source-ranges/iptables/iptables.v4.save');
    const dump = readFileSync(save, 'utf8');
    const filter = dump.slice(dump.indexOf('*filter'), dump.indexOf('COMMIT\n', dump.indexOf('*filter')));
    assert.match(filter, /-p tcp .* health check node port" .*--dport 32693/);
    const { stdout, stderr } = runCli(['import', '-', '--kube-version', '1.30'], { input: `${filter}COMMIT\n` });
    assert.match(stdout, /^ {2}- name: vpn\n {4}protocol: UDP\n {4}port: 1194$/m);
    assert.match(stdout, /^ {2}healthCheckNodePort: 32693$/m);
    assert.match(stdout, /^ {4}- ip: 203\.0\.113\.60$/m);
    assert.doesNotMatch(stderr, /made-up/);
  });

  it('leaves out a port of a Service that has all numbers already', () => {
    const sets = 'create KUBE-CLUSTER-IP hash:ip,port family inet\nadd KUBE-CLUSTER-IP 10.96.0.1,tcp:0-65535\n';
    const servers = '-A -t 10.96.0.1:143 -s rr\n-a -t 10.96.0.1:143 -r 10.0.0.1:143 -m -w 1\n';
    const { status, stdout, stderr } = runCli(['import', '-', '-o', 'json'], { input: sets + servers });
    assert.equal(status, 0, stderr);
    assert.match(stderr, /1 value that cannot be right was left out: 0 of default\/svc-10-96-0-1/);
    const { items } = JSON.parse(stdout) as { items: { kind: string; spec: { ports: { port: number }[] } }[] };
    const ports = items.find(({ kind }) => kind === 'Service')?.spec.ports ?? [];
    assert.deepEqual(
      ports.map(({ port }) => port).sort((a, b) => a - b),
      Array.from({ length: 65_535 }, (_, at) => at + 1),
    );
  });

  it('prints a List in JSON with the same objects', () => {
    const { status, stdout } = runCli(['import', basic, '-o', 'json']);
    assert.equal(status, 0);
    const { kind, items } = JSON.parse(stdout) as { kind: string; items: { kind: string }[] };
    assert.equal(kind, 'List');
    const kinds = runCli(['import', basic]).stdout.match(/^kind: .*$/gm);
    assert.deepEqual(
      items.map((one) => `kind: ${one.kind}`),
      kinds,
    );
  });

  it('gives of a piece what it holds, and says what is missing', () => {
    const piece = text.split('\n').filter((line) => line.includes('KUBE-SERVICES') && line.startsWith('-A KUBE-'));
    const { status, stdout, stderr } = runCli(['import', '-'], { input: `${piece.join('\n')}\n` });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /clusterIP: 10\.96\.100\.1/);
    assert.match(stderr, /note not-in-dump: endpoints of default\/front are left out/);
    assert.match(stderr, /warning not-imported: the dump does not show all: table nat of ipv4 is a piece/);
  });

  it('says that a dump is cut', () => {
    const { status, stderr } = runCli(['import', '-'], { input: text.slice(0, -400) });
    assert.equal(status, 0, stderr);
    assert.match(stderr, /warning not-imported: the dump does not show all: table nat of ipv4 is cut/);
  });

  it('says that nothing was read where a node has no Services', () => {
    const none = text.split('\n').filter((line) => !line.includes('default/') && !/KUBE-(?:SVC|SEP|EXT)-/.test(line));
    const { status, stderr } = runCli(['import', '-'], { input: none.join('\n') });
    assert.equal(status, 0, stderr);
    assert.match(stderr, /warning not-in-dump: standard input shows no Services/);
  });

  it('refuses what holds no rules of kube-proxy', () => {
    const foreign =
      '*filter\n:INPUT ACCEPT [0:0]\n:FORWARD ACCEPT [0:0]\n:OUTPUT ACCEPT [0:0]\n-A INPUT -j ACCEPT\nCOMMIT\n';
    for (const input of ['', 'hello\n', foreign]) {
      const { status, stdout, stderr } = runCli(['import', '-'], { input });
      assert.equal(status, 2, stderr);
      assert.equal(stdout, '');
      assert.match(stderr, /^error (?:not-a-dump|bad-option|cannot-read):/);
    }
  });

  it('says that nothing tells the version, and reads what is there', () => {
    const { status, stdout, stderr } = runCli([
      'import',
      'golden/recorded/services/nodeport-basic/ipvs/ipvsadm.v4.save',
    ]);
    assert.equal(status, 0, stderr);
    assert.match(stderr, /warning version-not-detected: .*\n {2}hint: give the version with --kube-version/);
    assert.match(stderr, /not-imported: the dump does not show all: sets of ipset \(ipv4\) are missing/);
    assert.match(stdout, /in ipvs mode, an unknown version/);
    assert.match(stdout, /clusterIP: 10\.96\.100\.1/);
  });

  it('reads the address off a rule whose comment was shortened to the name', () => {
    const shortened = text.replaceAll(/"(default\/front:https?) [^"]*"/g, '"$1"');
    assert.notEqual(shortened, text);
    const [expected, stdout] = [text, shortened].map((input) => runCli(['import', '-'], { input }).stdout);
    const parts = /clusterIP: \S+|nodePort: \d+|clusterCIDR: \S+/g;
    assert.ok((expected?.match(parts) ?? []).length > 3);
    assert.deepEqual(stdout?.match(parts), expected?.match(parts));
  });

  it('shows no control characters of a dump', () => {
    const hostile = text.replaceAll('default/front', 'default/fr\u001b[31mont');
    const { stdout, stderr } = runCli(['import', '-'], { input: hostile });
    assert.ok(!(stdout + stderr).includes('\u001b'));
  });
});
