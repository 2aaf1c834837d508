import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { diffDumps } from '../../src/diff/diffDumps.ts';
import { diffNodes } from '../../src/diff/diffNodes.ts';
import { readDumps } from '../../src/dump/readDumps.ts';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';
import { fails, said, wholeNode } from './diffCase.ts';

/** A node of which one line cannot be read, whichever: what may be in it is neither there nor missing. */
const nodes: readonly (readonly [mode: string, version: string])[] = [
  ['iptables', '1.36'],
  ['iptables', '1.10'],
  ['ipvs', '1.34'],
  ['ipvs', '1.20'],
  ['nftables', '1.36'],
];

const fixture = 'lb-etp-local-source-ranges';

const oneThing = /^(?:-A|add|-a) |^\t\ttimeout /;

describe('a line that cannot be read', () => {
  for (const [mode, version] of nodes) {
    it(`is neither as it should be nor lost: ${mode} ${version}`, async () => {
      const { files, diff } = await wholeNode(fixture, mode, version);
      assert.equal(diff(files).summary.notShown, undefined);
      let damaged = 0;
      for (const file of files) {
        const lines = file.text.split('\n');
        for (const [at, line] of lines.entries()) {
          // What is left of a virtual server is mostly one, of another port.
          if (!oneThing.test(line) || /^-A -[tu]/.test(line)) continue;
          const text = lines.map((one, index) => (index === at ? one.slice(0, one.length * 0.6) : one)).join('\n');
          const report = diff(files.map((one) => (one === file ? { ...file, text } : one)));
          if (report.unread.length === 0) continue;
          damaged += 1;
          assert.ok(!fails(report), `${line}\n${said(report)}`);
          assert.ok((report.summary.notShown ?? 0) > 0, line);
        }
      }
      assert.ok(damaged > (mode === 'nftables' ? 2 : 20), `${damaged} lines`);
    });
  }
});

describe('two dumps', () => {
  it('of which one lost lines are not the same, and nothing of it is missing', async () => {
    const { files } = await wholeNode(fixture, 'iptables', '1.36');
    const [{ text } = assert.fail()] = files;
    const read = (name: string, dump: string) => readDumps([{ name, text: dump }], { name, family: 'ipv4' });
    const cut = text.replace(/^(-A KUBE-SERVICES -d .* cluster IP)".*/m, '$1');
    assert.notEqual(cut, text);
    const short = text.slice(0, text.indexOf('\n-A KUBE-SERVICES -d ') + 1);
    const filterAlone = text.slice(0, text.indexOf('COMMIT\n'));
    for (const damaged of [cut, short, filterAlone]) {
      for (const sides of [
        [text, damaged],
        [damaged, text],
      ] as const) {
        const [before, after] = sides.map((dump, at) => read(`${at}`, dump));
        assert.ok(before && after);
        const report = diffDumps(before, after, { level: 'rules', hasForeign: true });
        assert.deepEqual(report.changes, []);
        assert.ok((report.summary.notShown ?? 0) > 0);
        const { services, same, missing, notCompared = 0 } = report.summary;
        assert.deepEqual([same, missing, notCompared], [0, 0, services]);
        assert.ok(report.findings.some(({ code }) => code === 'K8N110'));
      }
    }
    const three = [text, cut, text].map((dump, at) => read(`${at}`, dump));
    const { notes, expectedName, summary } = diffNodes(three, { level: 'rules', hasForeign: true });
    assert.equal(expectedName, '0');
    assert.equal(summary.notShown, 1);
    assert.ok(notes.includes('all 3 nodes have the same rules, as far as their dumps show them'), notes.join('\n'));
    const lines = text.split('\n');
    const few = [78, 79, 80].map((end) => read(`${end}`, lines.slice(0, end).join('\n')));
    const { findings } = diffNodes(few, { level: 'rules', hasForeign: true });
    assert.deepEqual(findings.map(({ code, found }) => `${code} ${found[0]?.file}`).sort(), [
      'K8N110 78',
      'K8N110 79',
      'K8N110 80',
    ]);
  });
});

describe('a dump that lost lines', () => {
  it('decides nothing, which the exit status says', async () => {
    const { files } = await wholeNode(fixture, 'iptables', '1.36');
    const [{ text } = assert.fail()] = files;
    const config = ['--config', `${root}/fixtures/services/${fixture}/config.yaml`];
    const node = ['--node', 'node-1', '--node-ip', '192.168.10.1', '--kube-version', '1.36', '--family', 'ipv4'];
    const args = ['diff', '-f', `fixtures/services/${fixture}/manifests.yaml`, ...config, ...node, '-'];
    assert.equal(runCli(args, { input: text }).status, 0);
    const cut = text.replace(/^(-A KUBE-SERVICES -d .* cluster IP)".*/m, '$1');
    const one = runCli(args, { input: cut });
    assert.equal(one.status, 3);
    assert.match(one.stdout, /^1 Service: 0 same, 1 not compared$/m);
    assert.match(one.stdout, /K8N110 the table nat of ipv4 is cut: 1 line of it could not be read/);
    const shared = runCli(args, {
      input: text.replace(/^-A INPUT -m conntrack.*/m, '-A INPUT -m comment --comment "a'),
    });
    assert.equal(shared.status, 3);
    assert.match(shared.stdout, /^1 Service: 1 same; 1 rule not shown$/m);
    const doctor = runCli(['doctor', '-'], { input: cut });
    assert.match(doctor.stdout, /^no problems found in what the dump shows$/m);
    assert.equal(doctor.status, 3);
    const whole = runCli(['doctor', '-'], { input: text });
    assert.match(whole.stdout, /^no problems found$/m);
    assert.equal(whole.status, 0);
    const [filter = ''] = text.split('COMMIT\n');
    assert.equal(runCli(args, { input: filter }).status, 3);
    assert.equal(runCli(['doctor', '-'], { input: filter }).status, 3);
    // Who gives one table to its end, or one chain, left out the others on purpose.
    for (const words of [args, ['doctor', '-']]) assert.equal(runCli(words, { input: `${filter}COMMIT\n` }).status, 0);
    const chain = text.match(/^-A KUBE-SERVICES .*\n/gm)?.join('') ?? assert.fail();
    assert.equal(runCli(['doctor', '-'], { input: chain }).status, 0);
  });

  it('leaves the other tables whole, pasted with a prompt or not', async () => {
    const { files, diff } = await wholeNode(fixture, 'iptables', '1.36');
    const [file = assert.fail(), ...others] = files;
    const text = file.text
      .replace(/^-A INPUT -m conntrack.*/m, '-A INPUT -m comment --comment "a')
      .replace(/^-A KUBE-SERVICES -d 10\.96\.113\.9.*\n/m, '');
    for (const typed of ['', 'root@node-1:~# iptables-save\n']) {
      const { findings, summary } = diff([{ ...file, text: `${typed}${text}` }, ...others]);
      assert.ok(
        findings.some(({ what }) => what === 'no rule for cluster IP 10.96.113.9:1194/udp'),
        typed,
      );
      assert.equal(summary.notShown, 1);
      const cut = findings.filter(({ code }) => code === 'K8N110').map(({ what }) => what.split(':')[0]);
      assert.deepEqual(cut, ['the table filter of ipv4 is cut']);
    }
  });

  it('leaves open what packets meet that no rule translates', async () => {
    const { files } = await wholeNode(fixture, 'iptables', '1.36');
    const [{ text } = assert.fail()] = files;
    const cut = text.replace(/^(-A KUBE-SERVICES -d 10.96.113.9.* cluster IP)".*/m, '$1');
    const args = ['diff', '--compare', 'behaviour', '-f', `fixtures/services/${fixture}/manifests.yaml`];
    const config = ['--config', `${root}/fixtures/services/${fixture}/config.yaml`];
    const node = ['--node', 'node-1', '--node-ip', '192.168.10.1', '--kube-version', '1.36', '--family', 'ipv4'];
    const { stdout, status } = runCli([...args, ...config, ...node, '-'], { input: cut });
    assert.match(stdout, /^cannot tell: node to default\/vpn:vpn 10\.96\.113\.9:1194\/udp$/m);
    assert.equal(status, 3);
  });
});
