import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { cliCommand, runProcess } from '../support/runCli.ts';

const service = 'fixtures/services/clusterip-single/manifests.yaml';

/** The command line as it is published: pieces that are loaded when needed must find each other. */
describe('the bundle', () => {
  const run = (...args: readonly string[]) => runProcess(args);

  it('knows its version and every command', () => {
    assert.match(run('--version').stdout, /^\d+\.\d+\.\d+\n$/);
    const commands = [...(run('--help').stdout.split('Examples:')[0] ?? '').matchAll(/^ {2}([a-z]+) /gm)].map(
      (match) => match[1] as string,
    );
    assert.ok(commands.length > 8);
    for (const command of commands.filter((name) => name !== 'help' && name !== 'k8snet')) {
      const help = run(command, '--help');
      assert.equal(help.status, 0, `${command}: ${help.stderr}`);
      const bad = run(command, '--no-such-option');
      assert.equal(bad.status, 2, `${command}: ${bad.stderr}`);
      assert.match(bad.stderr, /^error bad-option: (unknown|required) option/);
    }
    assert.equal(run('complie').status, 2);
    for (const help of [['help'], ['policy', 'help', 'test']]) assert.equal(run(...help).status, 0);
  });

  it('compiles in every mode and form, with diagnostics', () => {
    for (const mode of ['iptables', 'ipvs', 'nftables']) {
      for (const form of ['save', 'restore', 'script', 'json']) {
        const { status, stdout, stderr } = run('compile', '-f', service, '--mode', mode, '-o', form);
        assert.equal(status, 0, stderr);
        assert.ok(stdout.length > 500, `${mode} ${form}`);
      }
    }
    assert.match(run('compile', '-f', 'fixtures/bad/port-zero/manifests.yaml').stderr, /manifests\.yaml:10:11 error/);
  });

  it('ends quietly when its reader has read enough', () => {
    const line = `${cliCommand.join(' ')} compile -q -f ${service} | head -n 1`;
    const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { cwd: root, encoding: 'utf8' });
    assert.deepEqual([status, stdout, stderr], [0, '*mangle\n', '']);
  });

  it('cleans up and tells versions', () => {
    for (const mode of ['iptables', 'ipvs', 'nftables'])
      assert.match(run('cleanup', '--mode', mode).stdout, /^#!\/bin\/sh/);
    const dump = 'golden/recorded/dialects/c05-etp-local/1.24/iptables.v4.save';
    assert.match(run('versions', '--detect', dump).stdout, /kube-proxy 1\.24;/);
  });
});
