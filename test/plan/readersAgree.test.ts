import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compileCase } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

/** What is said of a plan is what its rules do. */

const local = [
  '-f',
  'fixtures/services/nodeport-etp-local/manifests.yaml',
  '--node',
  'node-1',
  '--node-ip',
  '192.168.10.1',
];

test('explain counts the endpoints that a node port leads to, not those of the policy', () => {
  const ofMode = (mode: string) =>
    runCli(['explain', 'node-port', ...local, '--mode', mode, '--kube-version', '1.30']).stdout;
  // IPVS mode sends to other nodes where the node has no endpoint; the other modes drop.
  assert.match(ofMode('ipvs'), /leads to [1-9]\d* endpoints? on all nodes/);
  assert.doesNotMatch(ofMode('ipvs'), /leads to 0 endpoints/);
  assert.match(ofMode('iptables'), /dropped on this node: the policy is Local, and no endpoint is here/);
});

async function codesOf(...args: readonly string[]): Promise<readonly string[]> {
  const { diagnostics } = await compileCase('services/clusterip-single', '--cluster-cidr', '0.0.0.0/0', ...args);
  return diagnostics.map(({ code }) => code);
}

test('a cluster CIDR of everything is a fault only where a rule excludes it', async () => {
  assert.ok((await codesOf('--mode', 'iptables')).includes('rules-not-loadable'));
  assert.ok(!(await codesOf('--mode', 'iptables', '--masquerade-all')).includes('rules-not-loadable'));
});
