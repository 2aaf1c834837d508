import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { type Ended, runCli } from '../support/runCli.ts';

const service = join(root, 'fixtures/services/clusterip-single/manifests.yaml');
let folder = '';

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'k8snet-cli-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

function k8snet(args: readonly string[], input = '', environment: Record<string, string> = {}): Ended {
  return runCli(args, { input, environment });
}

describe('the command line', () => {
  it('prints its version', () => {
    const { status, stdout } = k8snet(['--version']);
    assert.equal(status, 0);
    assert.match(stdout, /^\d+\.\d+\.\d+/);
  });

  it('prints help with examples for every command', () => {
    const { stdout } = k8snet(['--help']);
    const [list = ''] = stdout.split('Examples:');
    const commands = [...list.matchAll(/^ {2}([a-z]+) /gm)].map((match) => match[1] as string);
    assert.ok(commands.includes('compile'));
    for (const command of commands.filter((name) => name !== 'help' && name !== 'k8snet')) {
      const { status, stdout: help } = k8snet([command, '--help']);
      assert.equal(status, 0, command);
      assert.match(help, /Examples:\n {2}\S/, command);
    }
  });

  it('compiles standard input', () => {
    const { status, stdout, stderr } = k8snet(['compile', '-f', '-', '--no-allocate'], readFileSync(service, 'utf8'));
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^\*mangle\n/);
    assert.match(stdout, /\nCOMMIT\n$/);
  });

  it('ends with 2 on bad usage, and says how it is used', () => {
    for (const args of [
      ['compile'],
      ['compile', '-f', service, '--mode', 'kernelspace'],
      ['compile', '-f', service, '--kube-version', 'latest'],
      ['compile', '-f', service, '--node-ip', '300.1.1.1'],
      ['compile', '-f', service, '--iptables-masquerade-bit', '32'],
      ['compile', '-f', service, '--nope'],
      ['frobnicate'],
    ]) {
      const { status, stdout, stderr } = k8snet(args);
      assert.equal(status, 2, args.join(' '));
      assert.equal(stdout, '');
      assert.match(stderr, args[0] === 'compile' ? /^error bad-option: / : /^error: /);
    }
  });

  it('ends with 2 on bad input and writes nothing, neither to standard output nor into a folder', () => {
    const bad = join(root, 'fixtures/bad/port-zero/manifests.yaml');
    const out = join(folder, 'bad-out');
    for (const args of [
      ['compile', '-f', bad],
      ['compile', '-f', bad, '--out-dir', out],
    ]) {
      const { status, stdout, stderr } = k8snet(args);
      assert.equal(status, 2);
      assert.equal(stdout, '');
      assert.match(stderr, /port-zero\/manifests\.yaml:10:11 error /);
      assert.ok(!/\n\s+at /.test(stderr), 'no stack trace');
    }
    assert.ok(!existsSync(out));
  });

  it('writes every artefact into a folder, whole files only', () => {
    const out = join(folder, 'out');
    const { status, stdout, stderr } = k8snet(['compile', '-f', service, '--no-allocate', '--out-dir', out]);
    assert.equal(status, 0, stderr);
    assert.equal(stdout, '');
    assert.deepEqual(readdirSync(out).sort(), [
      'apply.sh',
      'iptables.v4.restore',
      'iptables.v4.save',
      'iptables.v6.restore',
      'iptables.v6.save',
      'sysctl.conf',
    ]);
  });

  it('says in one line when a folder cannot be written', () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    const { status, stderr } = k8snet(['compile', '-f', service, '--no-allocate', '--out-dir', join(file, 'x')]);
    assert.equal(status, 74);
    assert.match(stderr, /error cannot-write/);
  });

  it('colours standard error when told to, and never on its own in a pipe', () => {
    const bad = join(root, 'fixtures/bad/port-zero/manifests.yaml');
    const csi = '\u001b[';
    assert.ok(!k8snet(['compile', '-f', bad]).stderr.includes(csi));
    assert.ok(k8snet(['compile', '-f', bad, '--color', 'always']).stderr.includes(csi));
    assert.ok(k8snet(['compile', '-f', bad], '', { FORCE_COLOR: '1' }).stderr.includes(csi));
    assert.ok(!k8snet(['compile', '-f', bad], '', { FORCE_COLOR: '1', NO_COLOR: '1' }).stderr.includes(csi));
  });

  it('prints JSON that says what it is', () => {
    const { stdout } = k8snet(['compile', '-f', service, '--no-allocate', '-o', 'json']);
    const value = JSON.parse(stdout);
    assert.equal(value.schema, 'k8snet.compile/v1');
    assert.equal(value.services.length > 0, true);
    assert.ok(value.artefacts['iptables.v4.save'].includes('COMMIT'));
  });

  it('prints the family that is used, and says what it leaves out', () => {
    const dual = join(root, 'fixtures/services/dualstack-basic/manifests.yaml');
    const { stdout, stderr } = k8snet(['compile', '-f', dual, '--no-allocate', '--node', 'node-1']);
    assert.match(stderr, /note family-left-out/);
    assert.ok(!stdout.includes('fd00:'));
    const six = k8snet(['compile', '-f', dual, '--no-allocate', '--node', 'node-1', '--family', 'ipv6']);
    assert.match(six.stdout, /fd00:/);
    assert.ok(!six.stderr.includes('family-left-out'));
  });

  it('lists virtual servers of both families as ipvsadm does, of IPVS mode alone', () => {
    const input = ['-f', 'fixtures/services/dualstack-basic/manifests.yaml', '--node', 'node-1', '-q'];
    const compile = (...args: readonly string[]) => runCli(['compile', ...input, '-o', 'ipvsadm-list', ...args]);
    const { status, stdout } = compile('--mode', 'ipvs');
    assert.equal(status, 0);
    assert.match(stdout, /^IP Virtual Server version 1\.2\.1 \(size=4096\)\n/);
    assert.match(stdout, /^TCP {2}10\.96\.180\.1:80 rr\n {2}-> 10\.244\.1\.\S+ +Masq {4}1 {6}0 {10}0 +$/m);
    assert.match(stdout, /^TCP {2}\[fd00:\S+\]:80 rr$/m);
    assert.doesNotMatch(compile('--mode', 'ipvs', '--family', 'ipv4').stdout, /\[fd00:/);
    const refused = runCli(['compile', ...input.slice(0, -1), '-o', 'ipvsadm-list', '--mode', 'nftables']);
    assert.equal(refused.status, 2);
    assert.equal(refused.stdout, '');
    assert.match(refused.stderr, /nftables mode has no virtual servers that ipvsadm could list/);
  });

  it('lints: diagnostics as text and as JSON', () => {
    const bad = join(root, 'fixtures/bad/port-zero/manifests.yaml');
    assert.equal(k8snet(['lint', '-f', bad]).status, 2);
    assert.equal(k8snet(['lint', '-f', service]).status, 0);
    const { stdout } = k8snet(['lint', '-f', bad, '-o', 'json']);
    assert.equal(JSON.parse(stdout).diagnostics[0].at[0].line, 10);
  });

  it('lists versions and explains one', () => {
    assert.match(k8snet(['versions']).stdout, /^1\.24 +recorded +KUBE-EXT/m);
    assert.match(k8snet(['versions']).stdout, /^1\.33\.6 +recorded +filter chains behind DNAT/m);
    const explained = k8snet(['versions', '--explain-version', '1.27', '--mode', 'iptables']).stdout;
    assert.match(explained, /^ {2}- kube-proxy itself writes KUBE-FIREWALL/m);
    assert.match(explained, /^ {6}before: KUBE-FIREWALL is kubelet's work\.$/m);
    const dump = join(root, 'golden/recorded/dialects/c05-etp-local/1.24/iptables.v4.save');
    assert.match(k8snet(['versions', '--detect', dump]).stdout, /written by kube-proxy 1\.24;/);
    const nft = join(root, 'golden/recorded/nft-dialects/lb-basic/1.36/nft.v4.save');
    assert.match(k8snet(['versions', '--detect', nft]).stdout, /written by kube-proxy 1\.36, 1\.37 in nftables mode;/);
    const flushing = join(root, 'golden/recorded/nft-dialects/lb-basic/1.32/nft.v4.restore');
    const detected = JSON.parse(k8snet(['versions', '--detect', flushing, '-o', 'json']).stdout);
    assert.deepEqual([detected.mode, detected.versions], ['nftables', ['1.31', '1.32']]);
  });

  it('says what an upgrade changes, each change with its version, behaviour first', () => {
    const { stdout, status } = k8snet(['versions', '--between', '1.29', '1.36', '--mode', 'nftables']);
    assert.equal(status, 0);
    const [happens = '', written = ''] = stdout.split('  How it is written:\n');
    assert.match(happens, /^nftables mode, kube-proxy 1\.36 against 1\.29\n {2}What happens:\n/);
    assert.match(happens, /^ {2}- 1\.34: A \/0 among the source ranges/m);
    assert.match(happens, /^ {2}- 1\.34\.2: Interfaces of Pods are matched by iifname/m);
    assert.match(written, /^ {2}- 1\.36: The random choice is a map in the DNAT rule/m);
    for (const wrong of [['1.36'], ['1.36', '1.29'], ['1.29', '1.99']]) {
      assert.equal(k8snet(['versions', '--between', ...wrong]).status, 2);
    }
  });

  it('says which modes a version does not have, or is not known in', () => {
    const compile = (mode: string, version: string) =>
      k8snet(['compile', '-f', service, '--no-allocate', '--mode', mode, '--kube-version', version]);
    assert.match(compile('nftables', '1.28').stderr, /mode-not-in-version: kube-proxy 1\.28 has no nftables mode/);
    assert.match(compile('ipvs', '1.7').stderr, /mode-not-in-version/);
    assert.match(compile('ipvs', '1.12').stderr, /kube-version-unknown: what kube-proxy 1\.12 writes in ipvs mode/);
    assert.equal(compile('ipvs', '1.12').status, 2);
    assert.doesNotMatch(compile('ipvs', '1.34').stderr, /ipvs-deprecated/);
    assert.match(compile('ipvs', '1.35').stderr, /ipvs-deprecated/);
    for (const version of ['v1.33.6', '1.33.6-eks-1', '1.33.6+k3s1']) {
      assert.equal(compile('nftables', version).status, 0, version);
    }
  });

  it('warns of a version that is too new, and takes the newest it knows', () => {
    const { status, stderr } = k8snet(['compile', '-f', service, '--no-allocate', '--kube-version', '1.99']);
    assert.equal(status, 0);
    assert.match(stderr, /warning kube-version-newer/);
  });
});
