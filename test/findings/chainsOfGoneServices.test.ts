import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

/** The last Services were deleted: kube-proxy emptied their chains, and took their addresses out of the maps. */
describe('empty chains of Services in nftables mode', () => {
  const listing = readFileSync(join(root, 'golden/recorded/live/affinity-clientip/1.37/nftables/nft.txt'), 'utf8');
  const emptied = listing.replace(
    /^(\tchain (?:service|endpoint|external|local|firewall)-\S+ \{\n)[\s\S]*?^(\t\}\n)/gm,
    '$1$2',
  );
  const gone = emptied.replace(/^\t\telements = \{[\s\S]*?\}\n/gm, '');

  it('are no error where nothing leads to them', () => {
    assert.deepEqual(errorsOf(gone), []);
  });

  it('were flushed where the maps still lead there', () => {
    assert.deepEqual(errorsOf(emptied), ['K8N205']);
  });
});

function errorsOf(text: string): readonly string[] {
  const { stdout } = runCli(['doctor', '-', '-o', 'json'], { input: text });
  const { findings } = JSON.parse(stdout) as {
    readonly findings: readonly { readonly id: string; readonly severity: string }[];
  };
  return [...new Set(findings.filter(({ severity }) => severity === 'error').map(({ id }) => id))];
}
