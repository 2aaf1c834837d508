import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** Remarks of check-service: what the comparison and the dump by itself say in different words is one. */
for (const mode of ['iptables/iptables.v4.save', 'nftables/nft.v4.save']) {
  test(`a policy Local without endpoints on the node is said once: ${mode}`, () => {
    const { stdout, status } = runCli([
      'check-service',
      'remote',
      '-f',
      'fixtures/services/lb-etp-local/manifests.yaml',
      `golden/recorded/services/lb-etp-local/${mode}`,
    ]);
    assert.equal(stdout.match(/K8N502: node node-1: /g)?.length, 1, stdout);
    assert.equal(status, 0, stdout);
  });
}

test('what is wrong with the objects is told with its place', () => {
  const input =
    'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {type: LoadBalancer, ports: [{port: 80}], loadBalancerSourceRanges: [10.1.1.1]}\n';
  const { status, stderr } = runCli(['check-service', 'web', '-f', '-'], { input });
  assert.equal(status, 2);
  assert.match(stderr, /^<stdin>:4:\d+ error bad-network: "10\.1\.1\.1" is not a network/);
});
