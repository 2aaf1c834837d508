// Runs the tests: all of them, or those whose path contains one of the arguments. `--without=TEXT` leaves out files with
// TEXT in their path, `--update` rewrites golden files of our own making; everything else that begins with `--` goes to
// Node's test runner.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const given = process.argv.slice(2);
const words = given.filter((word) => !word.startsWith('--'));
const without = given.filter((word) => word.startsWith('--without=')).map((word) => word.slice('--without='.length));
const flags = given.filter((word) => word.startsWith('--') && word !== '--update' && !word.startsWith('--without='));
const files = testFiles('test')
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .filter((file) => !without.some((word) => file.includes(word)));
if (files.length === 0) {
  console.error(`no test file has ${words.join(' or ')} in its path`);
  process.exit(2);
}
const runner = ['--import', 'tsx', '--test', `--test-concurrency=${Math.max(2, availableParallelism())}`, ...flags];
const { status } = spawnSync(process.execPath, [...runner, ...files], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ...(given.includes('--update') ? { UPDATE_GOLDEN: '1' } : {}) },
});
process.exit(status ?? 1);

function testFiles(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return testFiles(path);
    return /\.(test|fuzz)\.ts$/.test(entry.name) ? [path] : [];
  });
}
