import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
/** Tests that mostly wait, for packets, programs or a browser, which others use: each file is a process. */
const waiting = /^test\/(?:(?:cluster|kernel|page|live|agent)\/|policy\/(?:p|clusterP)ackets)/;
/** How many of them run beside those that compute. */
const waitingTogether = 3;
const filesTogether = 12;
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
// Helper threads of the engine gain nothing where all processors are busy, and cost some 7 % of the CPU time: with 0 there is
// one on two processors, instead of four. Most processes end before optimized code has paid for itself: optimized six times
// as late, and compiled by the quick compiler before, they take a tenth less on Node 20.
const runner = [
  '--v8-pool-size=0',
  ...['--interrupt-budget=400000', '--always-sparkplug'].filter(isFlag),
  '--enable-source-maps',
  '--test',
  `--test-concurrency=${availableParallelism() + waitingTogether}`,
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

/** Later engines lack some of them: Node 24 has no interrupt budget. */
function isFlag(flag: string): boolean {
  return spawnSync(process.execPath, [flag, '--eval', '0'], { stdio: 'ignore' }).status === 0;
}

/**
 * Those that take longest come first: else the last one runs alone. Node's test runner sorts files by their paths, so each
 * is imported by one whose path begins with its place.
 */
function inOrder(files: readonly string[]): readonly string[] {
  const first = longTests.filter((file) => files.includes(file));
  const others = files.filter((file) => !first.includes(file));
  return spread([...first.map((file) => [file]), ...together(others)]).map((group, index) => {
    const names = group.map((file) => file.replace(/\.ts$/, '.js'));
    const place = join(folder, 'in-order', String(index).padStart(4, '0'), names[0] ?? '');
    const imports = names.map((name) => `import ${JSON.stringify(relative(dirname(place), join(folder, name)))};\n`);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, imports.join(''));
    return place;
  });
}

/**
 * Those that wait begin a few at a time, so that others use the processors meanwhile. They come in the order of their length:
 * when half of them have ended, most of the time is over. So they stand among the others by the cube root of their place.
 */
function spread(groups: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const isWaiting = ([file = '']: readonly string[]) => waiting.test(file);
  const [waits, others] = [groups.filter(isWaiting), groups.filter((group) => !isWaiting(group))];
  const before = (at: number) =>
    at < waitingTogether
      ? 0
      : others.length * Math.cbrt((at - waitingTogether + 1) / (waits.length - waitingTogether + 1));
  const placed = waits.map((group, at) => ({ group, place: before(at) }));
  return [...placed, ...others.map((group, at) => ({ group, place: at + 0.5 }))]
    .sort((a, b) => a.place - b.place)
    .map(({ group }) => group);
}

/**
 * Files of one folder share a process, a few at a time: to load their modules, and to have the engine compile these, takes
 * as long as many of them run. Files that change the process, or do something around each test, have one of their own.
 */
function together(files: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [];
  let before: string | undefined;
  for (const file of files) {
    const subject = isAlone(file) ? file : file.split('/')[1];
    const last = groups.at(-1);
    if (last !== undefined && subject === before && last.length < filesTogether) last.push(file);
    else groups.push([file]);
    before = subject;
  }
  return groups;
}

function isAlone(file: string): boolean {
  if (waiting.test(file)) return true;
  const text = readFileSync(join(root, file), 'utf8');
  return /^(?:before|after)Each\(|\bmock\.|process\.(?:env\.\w+ = |chdir|on\()/m.test(text);
}

function testFiles(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return testFiles(path);
    return /\.(test|fuzz)\.ts$/.test(entry.name) ? [path] : [];
  });
}
