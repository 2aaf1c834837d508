import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { FindingId } from '../../src/findings/finding.ts';
import { findingCatalogue } from '../../src/findings/findingCatalogue.ts';
import { findingMarkdown } from '../../src/report/pages/findingMarkdown.ts';
import { type FindingPage, findingPage } from '../../src/report/pages/findingPage.ts';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

function explain(...args: readonly string[]) {
  return runCli(['explain', ...args]);
}

const ids = Object.keys(findingCatalogue) as FindingId[];

describe('explain', () => {
  it('has an example for every finding', () => {
    assert.deepEqual(
      ids.filter((id) => findingPage(id)?.example === ''),
      [],
    );
  });

  it('makes a link of every reference that has an address', () => {
    const bare = ids.flatMap((id) => findingPage(id)?.links ?? []).filter(({ url }) => url === undefined);
    assert.deepEqual(bare, []);
  });

  it('writes pages whose code blocks end', () => {
    for (const id of ids) {
      const page = findingMarkdown(findingPage(id) as FindingPage);
      assert.equal(page.match(/^```/gm)?.length, 2, id);
    }
  });

  it('has docs/findings as the findingCatalogue says', () => {
    execFileSync(process.execPath, ['--import', 'tsx', join(root, 'scripts/generateFindingsDocs.ts'), '--check']);
  });

  it('prints findings and diagnostics', () => {
    const { status, stdout } = explain('k8n203', '103', 'duplicate-cluster-ip');
    assert.equal(status, 0);
    assert.match(stdout, /^K8N203 error .*\n\n {2}seen .*\n[\s\S]*^ {2}why {2}.*\n[\s\S]*^ {2}fix {2}/m);
    assert.match(stdout, /^K8N103 /m);
    assert.match(stdout, /^duplicate-cluster-ip error$/m);
    assert.ok(stdout.split('\n').every((line) => line.length <= 160));
  });

  it('breaks no command over two lines', () => {
    const { stdout } = explain(...ids);
    const fixes = stdout.split('\n').filter((line) => line.includes('`'));
    assert.deepEqual(
      fixes.filter((line) => (line.match(/`/g)?.length ?? 0) % 2 === 1),
      [],
    );
  });

  it('lists all findings, then topics', () => {
    const { stdout } = explain('--list');
    assert.equal(stdout.match(/^K8N\d{3} /gm)?.length, ids.length);
    const names = [...stdout.matchAll(/^(?!K8N)(\S+) /gm)].map(([, name]) => name);
    assert.ok(names.includes('cluster-ip') && names.includes('masquerade'));
    assert.deepEqual(names, names.toSorted());
  });

  it('suggests what was meant, escapes what was given, and ends with 2', () => {
    const { status, stderr } = explain('K8N230', '\u001b[31m');
    assert.equal(status, 2);
    assert.match(stderr, /did you mean K8N203\?/);
    assert.ok(!stderr.includes('\u001b'));
  });
});
