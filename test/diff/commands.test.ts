import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

const scratch = mkdtempSync(join(tmpdir(), 'k8snet-diff-'));
after(() => rmSync(scratch, { recursive: true, force: true }));

const folder = join(root, 'fixtures/services/lb-etp-local');
const save = join(root, 'golden/recorded/services/lb-etp-local/iptables/iptables.v4.save');
const target = [
  '-f',
  join(folder, 'manifests.yaml'),
  '--config',
  join(folder, 'config.yaml'),
  ...readFileSync(join(folder, 'args'), 'utf8').trim().split(/\s+/),
];

function run(...args: readonly string[]) {
  return runCli(args);
}

function broken(name: string, change: (text: string) => string): string {
  const file = join(scratch, name);
  writeFileSync(file, change(readFileSync(save, 'utf8')));
  return file;
}

describe('diff, doctor and canon as processes', () => {
  const edited = broken('edited.save', (text) => text.replace(/--to-destination \S+/, '--to-destination 192.0.2.1:1'));

  it('ends with 0 where all is as it should be, and 1 where it is not', () => {
    assert.equal(run('diff', ...target, save).status, 0);
    const { status, stdout } = run('diff', ...target, edited);
    assert.equal(status, 1);
    assert.match(stdout, /K8N203 .*192\.0\.2\.1:1/);
    assert.match(stdout, /edited\.save:\d+/);
  });

  it('leaves out what is to be ignored, and fails on remarks only where asked to', () => {
    assert.equal(run('diff', ...target, '--ignore', 'K8N203', edited).status, 0);
    assert.equal(run('diff', ...target, '--fail-on', 'info', save).status, 1);
  });

  it('fails from the severity of --fail-on on, and no earlier', () => {
    const uneven = broken('uneven.save', (text) => text.replace(/--probability 0\.5\d*/, '--probability 0.9'));
    assert.match(run('doctor', uneven).stdout, /warning K8N302/);
    for (const [least, status] of [
      ['info', 1],
      ['warning', 1],
      ['error', 0],
    ] as const) {
      assert.equal(run('doctor', uneven, '--fail-on', least).status, status, least);
    }
    assert.equal(run('diff', ...target, '--fail-on', 'error', edited).status, 1);
  });

  it('says that a dump has no problems', () => {
    const { status, stdout } = run('doctor', save);
    assert.equal(status, 0);
    assert.match(stdout, /^no problems found$/m);
  });

  it('says what is so by design on request only', () => {
    const nft = join(root, 'golden/recorded/services/lb-etp-local/nftables/nft.v4.save');
    const args = ['diff', ...target, '--mode', 'nftables', nft];
    const { status, stdout } = run(...args);
    assert.equal(status, 0, stdout);
    assert.doesNotMatch(stdout, /K8N803/);
    assert.match(run(...args, '-v').stdout, /info K8N803 no rule drops packets that conntrack marks INVALID/);
    assert.equal(run(...args, '--fail-on', 'K8N803').status, 1);
  });

  it('writes findings as JSON, and takes them as a baseline', () => {
    const { stdout } = run('diff', ...target, '-o', 'json', edited);
    const ids = (JSON.parse(stdout) as { findings: { id: string }[] }).findings.map(({ id }) => id);
    assert.ok(ids.includes('K8N203'));
    const baseline = join(scratch, 'baseline.json');
    writeFileSync(baseline, stdout);
    assert.equal(run('diff', ...target, '--baseline', baseline, edited).status, 0);
  });

  it('compares two dumps and finds the odd node', () => {
    assert.equal(run('diff', save, save).status, 0);
    assert.equal(run('diff', save, edited).status, 1);
    const { status, stdout } = run(
      'diff',
      '--nodes',
      save,
      edited,
      broken('same.save', (text) => text),
    );
    assert.equal(status, 1);
    assert.match(stdout, /edited\.save/);
  });

  it('takes a folder as one node, and one that collect filled by its dumps', () => {
    const node = join(scratch, 'n1');
    mkdirSync(join(node, 'dumps'), { recursive: true });
    mkdirSync(join(node, 'facts'));
    copyFileSync(save, join(node, 'dumps/iptables.v4.save'));
    copyFileSync(save.replace('v4', 'v6'), join(node, 'dumps/iptables.v6.save'));
    writeFileSync(join(node, 'errors.txt'), 'ipset: not found\n');
    for (const path of [node, join(node, 'dumps')]) {
      const { status, stdout } = run('diff', ...target, path, '-o', 'json');
      assert.equal(status, 0, stdout);
      assert.deepEqual((JSON.parse(stdout) as { unread: unknown }).unread, []);
      assert.doesNotMatch(stdout, /K8N107/);
    }
  });

  it('names what is wrong with a dump without manifests', () => {
    assert.equal(run('doctor', save).status, 0);
    const { status, stdout } = run(
      'doctor',
      broken('dead.save', (text) => text.replace(/^-A PREROUTING .*KUBE-SERVICES\n/m, '')),
    );
    assert.equal(status, 1);
    assert.match(stdout, /K8N207/);
  });

  it('prints one form, with the escapes of terminals spelt out', () => {
    const { status, stdout } = run(
      'canon',
      broken('escape.save', (text) => text.replace('kubernetes service portals', 'kubernetes \x1b[2J')),
    );
    assert.equal(status, 0);
    assert.ok(stdout.includes('\\x1b[2J') && !stdout.includes('\x1b'));
  });

  it('takes an empty list of virtual servers for a difference, and for nothing to diagnose', () => {
    const empty = broken('ipvsadm.txt', () => '');
    const { status, stdout } = run('diff', ...target, '--mode', 'ipvs', empty);
    assert.equal(status, 1);
    assert.match(stdout, /K8N201 no virtual server for /);
    assert.equal(run('doctor', empty).status, 2);
  });

  it('refuses what is no dump', () => {
    const { status, stderr } = run(
      'doctor',
      broken('prose.txt', () => 'Dear all,\nnothing works.\n'),
    );
    assert.equal(status, 2);
    assert.match(stderr, /not-a-dump/);
  });
});
