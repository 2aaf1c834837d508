import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

/** Dumps as terminals, folds and shells leave them: read whole, or one honest line. */

const firstAid = (file: string) => join(root, 'fixtures/first-aid', file);

describe('doctor', () => {
  const sound = JSON.parse(runCli(['doctor', firstAid('base.save'), '-o', 'json']).stdout);

  for (const file of ['K-fold.save', 'K-fold120.save']) {
    it(`reads ${file} as what it was before it was folded`, () => {
      const run = runCli(['doctor', firstAid(file), '-o', 'json']);
      assert.equal(run.status, 0, run.stdout);
      const { findings, summary, notes } = JSON.parse(run.stdout);
      const ids = (all: readonly { readonly id: string }[]) => all.map(({ id }) => id);
      assert.deepEqual(ids(findings), ids(sound.findings));
      assert.deepEqual(summary, sound.summary);
      assert.deepEqual(notes ?? [], []);
      assert.equal(runCli(['diff', '-f', firstAid('cluster.json'), '--node', 'worker-1', firstAid(file)]).status, 0);
    });
  }

  it('takes a warning out of the rule that it was written into', () => {
    const run = runCli(['doctor', firstAid('H-nft2.save'), '-o', 'json']);
    const { findings } = JSON.parse(run.stdout);
    const loud = findings.filter(({ severity }: { readonly severity: string }) => severity !== 'info');
    assert.deepEqual(
      loud.map(({ id, found }: { readonly id: string; readonly found: readonly object[] }) => [id, found.length]),
      [['K8N103', 1]],
    );
    assert.ok(!findings.some(({ id }: { readonly id: string }) => id === 'K8N110'));
  });

  it('says that nft does not show the rules of iptables-nft, and never that they have no problem', () => {
    const run = runCli(['doctor', firstAid('J-nft.txt')]);
    assert.equal(run.status, 2);
    assert.equal(run.stdout, '');
    assert.match(
      run.stderr,
      /error not-a-dump: J-nft\.txt holds no rules: it looks like tables of iptables-nft as nft lists them\n {2}hint: run iptables-save/,
    );
  });
});
