import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** What the comparison and the dump by itself say of a Service in different words is one remark. */
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
