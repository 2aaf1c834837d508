import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** Scripts never leave a node without its policies because the input was not whole. */

const folder = 'fixtures/policy-lost';
const file = (name: string) => ['-f', `${folder}/${name}`];

const refused: readonly (readonly [what: string, args: readonly string[], says: RegExp])[] = [
  [
    'a node that nobody has',
    [...file('pods.yaml'), ...file('np.yaml'), '--node', 'n9'],
    /no Node or Pod of the input is named n9/,
  ],
  [
    'Pods without addresses',
    [...file('nostatus.yaml'), ...file('np.yaml'), '--node', 'n1'],
    /shop\/db has no address in the input/,
  ],
  [
    'workloads alone',
    [...file('dep.yaml'), ...file('np.yaml'), '--node', 'n1'],
    /no Pod that they could select[\s\S]*--assume-pods/,
  ],
  ['policies alone', [...file('np.yaml'), '--node', 'n1'], /no Pod that they could select/],
  [
    'a table of policies',
    [...file('pods.yaml'), ...file('netpol.txt'), '--node', 'n1'],
    /netpol\.txt:1:1 error table-unread: a table of NetworkPolicies shows none of their rules[\s\S]*-o yaml/,
  ],
];

const layouts = [
  ['nftables'],
  ['iptables', '--policy-layout', 'strict'],
  ['iptables', '--policy-layout', 'kube-router'],
];

describe('a script that would leave Pods without their policies', () => {
  for (const [what, args, says] of refused) {
    for (const [backend = '', ...layout] of layouts) {
      for (const form of ['script', 'restore']) {
        it(`is refused: ${what}, ${[backend, ...layout].join(' ')} as ${form}`, () => {
          const run = runCli(['compile', ...args, '--policy', backend, ...layout, '--policy-only', '-o', form]);
          assert.equal(run.status, 2, run.stdout);
          assert.equal(run.stdout, '');
          assert.match(run.stderr, says);
          if (what === 'a table of policies') return;
          const meant = [
            'compile',
            ...args,
            '--policy',
            backend,
            ...layout,
            '--policy-only',
            '-o',
            form,
            '--allow-empty',
          ];
          assert.equal(runCli(meant).status, 0);
        });
      }
    }
  }

  it('is written where a policy selects a Pod of the node, with the counts', () => {
    const args = [...file('pods.yaml'), ...file('np.yaml'), '--node', 'n1', '--policy', 'nftables', '-o', 'script'];
    const { status, stderr } = runCli(['compile', ...args]);
    assert.equal(status, 0, stderr);
    assert.match(stderr, /node n1: 1 of 1 NetworkPolicy selects 1 of 1 Pod$/m);
  });

  it('is written for a node whose Pods are known and open', () => {
    const args = [...file('pods.yaml'), ...file('np.yaml'), '--node', 'n2', '--policy', 'nftables', '-o', 'script'];
    const { status, stderr } = runCli(['compile', ...args]);
    assert.equal(status, 0, stderr);
    assert.match(stderr, /node n2: 0 of 1 NetworkPolicy select 0 of \d Pods$/m);
  });

  it('leaves earlier policies alone where none were asked for', () => {
    const args = [...file('base.yaml'), ...file('svc.yaml'), '--node', 'n1', '--mode', 'nftables', '-o', 'script'];
    const kept = runCli(['compile', ...args]);
    assert.equal(kept.status, 0, kept.stderr);
    assert.match(kept.stderr, /policies that were loaded earlier stay as they are/);
    assert.doesNotMatch(kept.stdout, /k8snet-netpol/);
    const removed = runCli(['compile', ...args, '--policy', 'nftables']);
    assert.equal(removed.status, 0, removed.stderr);
    assert.match(removed.stderr, /removes those that were loaded earlier/);
    assert.match(removed.stdout, /k8snet-netpol/);
  });
});
