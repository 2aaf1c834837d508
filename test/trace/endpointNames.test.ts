import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCli } from '../support/runCli.ts';

/** The rule that masquerades comes last, and names no Service. */
for (const mode of ['iptables', 'nftables']) {
  test(`the receiver of a masqueraded packet has the name of its Service: ${mode} mode`, () => {
    const question = ['trace', '--from', '203.0.113.7', '--to', 'node:30443', '-o', 'json'];
    const manifests = ['-f', 'fixtures/services/nodeport-basic/manifests.yaml', '--node', 'node-1', '--mode', mode];
    const { stdout, stderr } = runCli([...question, ...manifests]);
    const { outcomes } = JSON.parse(stdout) as { readonly outcomes: readonly Outcome[] };
    assert.ok(outcomes.length > 0, stderr);
    for (const outcome of outcomes) {
      assert.match(JSON.stringify(outcome), /masquerade/);
      assert.equal(outcome.endpoint?.service, 'default/front:https');
    }
  });
}

interface Outcome {
  readonly endpoint: { readonly service: string | null } | null;
}
