import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../../support/compileCase.ts';
import { assertGolden } from '../../support/golden.ts';
import { runCli } from '../../support/runCli.ts';
import { commandWords } from './commandWords.ts';

const fixtures = join(root, 'fixtures/emit-own');

/** All that a run says and writes is the golden file: status, both streams, and the files in OUT. */
describe('emit, what nothing else recorded', () => {
  for (const name of readdirSync(fixtures)) {
    it(name, () => {
      const cwd = join(fixtures, name);
      const out = mkdtempSync(join(tmpdir(), 'k8snet-emit-'));
      try {
        const { status, stdout, stderr } = runCli(commandWords(readFileSync(join(cwd, 'cmd'), 'utf8'), out), { cwd });
        const files = readdirSync(out).sort();
        const written = files.map((file) => `=== ${file}\n${readFileSync(join(out, file), 'utf8')}`);
        assertGolden(
          `emit/${name}.txt`,
          [`=== status ${status}\n${stdout}`, ...written, `=== said\n${stderr}`].join(''),
        );
      } finally {
        rmSync(out, { recursive: true });
      }
    });
  }
});
