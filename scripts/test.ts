import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { buildTests } from './buildTests.ts';
import { longTests } from './longTests.ts';

/**
 * Runs the tests: all of them, or those whose path contains one of the arguments. `--without=TEXT` leaves out files with
 * TEXT in their path, `--update` rewrites golden files of our own making; everything else that begins with `--` goes to
 * Node's test runner. Everything is built once: transforming the sources in each of hundreds of processes takes longer than
 * the tests do.
 */
const root = join(import.meta.dirname, '..');
const given = process.argv.slice(2);
const words = given.filter((word) => !word.startsWith('--'));
const without = given.filter((word) => word.startsWith('--without=')).map((word) => word.slice('--without='.length));
const flags = given.filter((word) => word.startsWith('--') && word !== '--update' && !word.startsWith('--without='));
const existing = testFiles('test');
const files = existing
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .filter((file) => !without.some((word) => file.includes(word)));
if (files.length === 0) {
  console.error(`no test file has ${words.join(' or ')} in its path`);
  process.exit(2);
}

const folder = mkdtempSync(join(root, 'dist-test-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
await buildTests(files, folder);
const missing = longTests.filter((file) => !existing.includes(file));
if (missing.length > 0) throw new Error(`scripts/longTests.ts names what is no test file: ${missing.join(', ')}`);
// Two more than there are processors: tests of the kernel wait for packets, those of a cluster for its programs.
// The engine's helper threads gain nothing where all processors are busy, and cost some 7 % of the CPU time.
const runner = [
  '--v8-pool-size=0',
  '--enable-source-maps',
  '--test',
  `--test-concurrency=${availableParallelism() + 2}`,
  ...flags,
];
const tests = spawn(process.execPath, [...runner, ...inOrder(files)], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    K8SNET_TEST_BUILD: folder,
    ...(given.includes('--update') ? { UPDATE_GOLDEN: '1' } : {}),
  },
});
// Ending this run also ends the tests; the folder is removed when they have ended.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => tests.kill(signal));
const [status] = (await once(tests, 'exit')) as [number | null];
process.exit(status ?? 1);

/**
 * Those that take longest come first: else the last one runs alone. Node's test runner sorts files by their paths, so each is
 * imported by one whose path begins with its place.
 */
function inOrder(files: readonly string[]): readonly string[] {
  const first = longTests.filter((file) => files.includes(file));
  const others = files.filter((file) => !first.includes(file));
  return [...first, ...others].map((file, index) => {
    const name = file.replace(/\.ts$/, '.js');
    const place = join(folder, 'in-order', String(index).padStart(4, '0'), name);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, `import ${JSON.stringify(relative(dirname(place), join(folder, name)))};\n`);
    return place;
  });
}

function testFiles(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return testFiles(path);
    return /\.(test|fuzz)\.ts$/.test(entry.name) ? [path] : [];
  });
}
