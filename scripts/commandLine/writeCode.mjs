// Writes the engine's code beside the files of chunks in the folder that is given, as src/cli/cachedRun.ts reads it: for what
// usual runs need of them, with a checksum behind it. A process of its own, as the code depends on Node's flags; plain
// JavaScript, so that nothing else is loaded.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import v8 from 'node:v8';
import { Script } from 'node:vm';
import zlib from 'node:zlib';
import { openProgram } from './openProgram.mjs';
import { usualRuns } from './usualRuns.mjs';

// Node before 20.15: the files do without.
if (zlib.crc32 === undefined) process.exit();
// What ran often here would be kept with the code as such, and each run would compile it again at once; and what ran a while
// ago would be forgotten. The engine takes code that was made under its usual flags: they are set again before it is.
v8.setFlagsFromString('--no-sparkplug');
v8.setFlagsFromString('--no-flush-bytecode');
const folder = resolve(process.argv[2] ?? '.');
const program = join(folder, 'program');
const files = new Map();
for (const file of readdirSync(program)) {
  if (file.endsWith('.cjs')) files.set(basename(file, '.cjs'), compiled(join(program, file)));
}
const scratch = mkdtempSync(join(tmpdir(), 'k8snet-code-'));
try {
  const run = openProgram(folder, (file) => files.get(file).chunks);
  for (const words of usualRuns(scratch)) await run(words);
  v8.setFlagsFromString('--sparkplug');
  v8.setFlagsFromString('--flush-bytecode');
  for (const [name, { script }] of files) write(name, script);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function compiled(filename) {
  const script = new Script(readFileSync(filename, 'latin1'), { filename });
  return { script, chunks: script.runInThisContext() };
}

function write(name, script) {
  const file = `${name}-${process.version}-${process.platform}-${process.arch}.code`;
  const code = script.createCachedData();
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(zlib.crc32(code));
  writeFileSync(join(program, file), Buffer.concat([code, sum]));
}
