import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertionsOf } from './mutants/assertionsOf.ts';
import { runTestFile } from './mutants/runTestFile.ts';
import { scratchProject } from './mutants/scratchProject.ts';

/**
 * Says which assertions of tests never run: in loops over nothing, behind conditions that do not hold. Arguments are parts
 * of the paths of test files. One process runs at a time.
 */
const root = join(import.meta.dirname, '..');
const words = process.argv.slice(2);
const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .map((file) => `test/${file}`)
  .filter((file) => /\.(?:test|fuzz)\.ts$/.test(file))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort();
const assertions = files.flatMap((file) => assertionsOf(file, readFileSync(join(root, file), 'utf8')));
const project = await scratchProject(assertions, files);
let idle = 0;
for (const file of files) {
  const { passes, reached } = runTestFile(project, file);
  if (!passes) console.log(`fails: ${file}`);
  for (const [id, { file: own, line, within }] of assertions.entries()) {
    if (own !== file || reached.has(id)) continue;
    idle += 1;
    console.log(`${file}:${line} ${within}`);
  }
}
console.log(`${idle} of ${assertions.length} assertions in ${files.length} test files never run`);
process.exitCode = idle === 0 ? 0 : 1;
