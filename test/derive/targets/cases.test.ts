import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../support/compileCase.ts';
import { runCli } from '../../support/runCli.ts';
import { commandWords } from './commandWords.ts';
import { comparisons, type ExpectedOutcome, type JudgedElsewhere } from './comparisons.ts';

const fixtures = join(root, 'fixtures/emit');

/** Every case in fixtures/emit: the command line in `cmd`, with OUT for a fresh folder, ends as expect.json says. */
describe('emit', () => {
  for (const name of readdirSync(fixtures)) {
    it(name, () => {
      const cwd = join(fixtures, name);
      const expected = JSON.parse(readFileSync(join(cwd, 'expect.json'), 'utf8')) as ExpectedOutcome;
      const out = mkdtempSync(join(tmpdir(), 'k8snet-emit-'));
      try {
        const { status, stdout, stderr } = runCli(commandWords(readFileSync(join(cwd, 'cmd'), 'utf8'), out), { cwd });
        assert.equal(status, expected.exit, stderr);
        for (const code of expected.codes) assert.match(stderr, new RegExp(`\\b(error|warning|note) ${code}:`));
        if (expected.exit === 2) assert.equal(stdout, '');
        comparisons[expected.kind as Exclude<typeof expected.kind, JudgedElsewhere>]?.({ name, stdout, out, expected });
      } finally {
        rmSync(out, { recursive: true });
      }
    });
  }
});
