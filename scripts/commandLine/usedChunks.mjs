// Writes used.json into the folder that is given: for each usual run, which chunks of all.cjs there it evaluates.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openProgram } from './openProgram.mjs';
import { usualRuns } from './usualRuns.mjs';

const folder = resolve(process.argv[2] ?? '.');
const all = createRequire(join(folder, 'all.cjs'))('./all.cjs');
const scratch = mkdtempSync(join(tmpdir(), 'k8snet-code-'));
try {
  const used = [];
  for (const words of usualRuns(scratch)) {
    const names = [];
    const chunksOf = () => all;
    await openProgram(folder, chunksOf, (name) => names.push(name))(words);
    used.push(names);
  }
  writeFileSync(join(folder, 'used.json'), JSON.stringify(used));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
