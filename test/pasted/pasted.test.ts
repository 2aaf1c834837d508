import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readNodeDump } from '../../src/cli/readNodeDump.ts';
import type { Diagnostic } from '../../src/diagnostics/diagnostic.ts';
import { diagnoseDump } from '../../src/diff/diagnoseDump.ts';
import { root } from '../support/compileCase.ts';

const folder = join(root, 'fixtures/pasted');

interface Diagnosis {
  readonly file: string;
  /** Ids, or `refused` and what must be said of the text. */
  readonly findings: readonly string[];
  readonly refusal: string | undefined;
}

/** The rows of the table in fixtures/pasted/README.md. */
const diagnoses = readFileSync(join(folder, 'README.md'), 'utf8')
  .split('\n')
  .flatMap((line): readonly Diagnosis[] => {
    const [, file = '', findings = ''] = line.split('|').map((cell) => cell.trim());
    if (!file.endsWith('.txt')) return [];
    const refusal = /^refused: (.*)$/.exec(findings)?.[1];
    return [{ file, refusal, findings: refusal === undefined && findings !== '' ? findings.split(' ') : [] }];
  });

/** A part of a node says so of itself; it is never all that is wrong. */
const aboutTheDump = new Set(['K8N107', 'K8N110']);

/** A line like this is no talk around a dump. */
const ruleLike =
  /^\W*(?:\[\d+:\d+\] )?(?:-[AINP] \S+ -|:[A-Z]\S+ (?:[A-Z]+|-) \[|Chain \S+ \()|KUBE-[A-Z]+-[A-Z0-9]{16}|-> +[\d.]+:\d+ .*Masq/;

describe('dumps as people paste them', () => {
  for (const { file, findings, refusal } of diagnoses) {
    it(file, async () => {
      const said: Diagnostic[] = [];
      const report = (diagnostic: Diagnostic) => said.push(diagnostic);
      const dump = await readNodeDump([join(folder, file)], undefined, report, [], false);
      if (refusal !== undefined) {
        assert.ok(said[0]?.message.includes(refusal), said[0]?.message ?? 'it is read');
        assert.ok(said[0]?.hint);
        return;
      }
      assert.ok(dump, said[0]?.message);
      assert.deepEqual(
        dump.unread.filter(({ text }) => ruleLike.test(text)),
        [],
      );
      const found = diagnoseDump(dump).findings;
      const ids = new Set<string>(found.map(({ id }) => id));
      for (const id of findings) assert.ok(ids.has(id), `${id} is missing: found ${[...ids]}`);
      const unexpected = found.filter(
        ({ id, severity }) => severity !== 'info' && !findings.includes(id) && !aboutTheDump.has(id),
      );
      assert.deepEqual(
        unexpected.map(({ id, seen }) => `${id} ${seen}`),
        [],
      );
    });
  }

  it('has a diagnosis for each file', () => {
    const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));
    assert.deepEqual(diagnoses.map(({ file }) => file).sort(), files.sort());
  });
});
