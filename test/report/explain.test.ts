import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findingCatalogue } from '../../src/problems/findingCatalogue.ts';
import { allProblems } from '../../src/problems/problemCatalogue.ts';
import type { FindingCode } from '../../src/problems/problemCode.ts';
import { findingMarkdown } from '../../src/problems/problemMarkdown.ts';
import { type ProblemPage, problemPage } from '../../src/problems/problemPage.ts';
import { root } from '../support/compileCase.ts';
import { runCli } from '../support/runCli.ts';

function explain(...args: readonly string[]) {
  return runCli(['explain', ...args]);
}

const ids = Object.keys(findingCatalogue) as FindingCode[];

describe('explain', () => {
  it('has an example for every finding', () => {
    assert.deepEqual(
      ids.filter((id) => problemPage(id)?.example === undefined),
      [],
    );
  });

  it('makes a link of every reference that has an address', () => {
    const bare = ids.flatMap((id) => problemPage(id)?.links ?? []).filter(({ url }) => url === undefined);
    assert.deepEqual(bare, []);
  });

  it('writes pages whose code blocks end', () => {
    for (const id of ids) {
      const page = findingMarkdown(problemPage(id) as ProblemPage);
      assert.equal(page.match(/^```/gm)?.length, 2, id);
    }
  });

  it('has docs as the catalogues say', () => {
    execFileSync(process.execPath, ['--import', 'tsx', join(root, 'scripts/generateProblemDocs.ts'), '--check']);
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

  it('prints every code that it lists, and lists everything, kind by kind', () => {
    const { stdout } = explain('--list');
    const blocks = stdout.split('\n\n').map((block) => block.trim().split('\n').slice(1));
    const names = blocks.map((lines) => lines.map((line) => line.split(' ')[0] ?? ''));
    for (const list of names) assert.deepEqual(list, list.toSorted());
    assert.deepEqual(
      names.slice(0, -1).flat(),
      allProblems().map(({ code }) => code),
    );
    assert.ok(names.at(-1)?.includes('cluster-ip') && names.at(-1)?.includes('masquerade'));
    const { status, stdout: pages } = explain(...names.flat());
    assert.equal(status, 0);
    for (const name of names.flat()) assert.ok(`\n${pages}`.includes(`\n${name} `), name);
  });

  it('explains causes and differences of modes, and says both of a word that is a topic too', () => {
    assert.match(explain('no-kube-proxy').stdout, /^no-kube-proxy error no rules of kube-proxy\n\n {2}seen /);
    assert.match(explain('node-port-localhost').stdout, /^ {2}why {2}In iptables mode/m);
    const { stdout } = explain('dns');
    assert.match(stdout, /^dns [\s\S]+^dns warning the name of the Service is not resolved$/m);
    assert.match(explain('K8N902').stdout, /^ {2}also .*named-port-missing/m);
  });

  it('suggests what was meant, escapes what was given, and ends with 2', () => {
    const { status, stderr } = explain('K8N230', '\u001b[31m');
    assert.equal(status, 2);
    assert.match(stderr, /did you mean K8N203\?/);
    assert.ok(!stderr.includes('\u001b'));
  });
});
