import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import zlib from 'node:zlib';
import type { run as runs } from './run.ts';

/**
 * `run.ts` in the build: chunks of modules, each a function, in a few files of those that are needed by the same commands
 * (`scripts/commandLine/`). A file is read when a chunk in it is first needed, with the engine's own code for it:
 * compiling takes as long as everything else in a small run; with this code it takes next to no time.
 *
 * The code is for one version of Node on one kind of machine, which its name shows. The engine refuses it in another
 * version of its own, with other flags, for a text of another length, and if its end is missing. It does not check the
 * bytes and would run anything, so a checksum follows them. The build makes the code and puts it next to the files of
 * a clone. The package does not have it, because the user's Node is unknown. The program never writes any of this when
 * it runs, and reads nothing from a folder that others might write to.
 */
export const { run } = startedProgram(import.meta.dirname);

type Exports = Readonly<Record<string, unknown>>;

type Chunk = (
  chunk: (file: string, name: string) => Exports,
  load: (file: string, name: string) => Promise<Exports>,
  folder: string,
  require: NodeJS.Require,
) => Exports;

function startedProgram(folder: string): { readonly run: typeof runs } {
  const require = createRequire(join(folder, 'main.cjs'));
  const files = new Map<string, Readonly<Record<string, Chunk>>>();
  const evaluated = new Map<string, Exports>();
  const chunk = (file: string, name: string): Exports => {
    const known = evaluated.get(name);
    if (known !== undefined) return known;
    const chunks = files.get(file) ?? chunksOf(join(folder, 'program', `${file}.cjs`), require);
    files.set(file, chunks);
    const exports = (chunks[name] as Chunk)(chunk, load, folder, require);
    evaluated.set(name, exports);
    return exports;
  };
  const load = async (file: string, name: string) => chunk(file, name);
  return chunk('run', 'run') as { readonly run: typeof runs };
}

function chunksOf(file: string, require: NodeJS.Require): Readonly<Record<string, Chunk>> {
  const code = file.replace(/\.cjs$/, `-${process.version}-${process.platform}-${process.arch}.code`);
  const cachedData = existsSync(code) ? wholeCode(readFileSync(code)) : undefined;
  // Node's own cache, if there is one, covers required files.
  if (cachedData === undefined) return require(file) as Readonly<Record<string, Chunk>>;
  // The files have only ASCII characters.
  const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData });
  return script.runInThisContext() as Readonly<Record<string, Chunk>>;
}

/** The code before its checksum; undefined if it is not what was written. */
function wholeCode(file: Buffer): Buffer | undefined {
  const end = file.length - 4;
  if (end < 0) return undefined;
  const code = file.subarray(0, end);
  return zlib.crc32(code) === file.readUInt32LE(end) ? code : undefined;
}
