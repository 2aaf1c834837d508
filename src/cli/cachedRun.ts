import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';
import zlib from 'node:zlib';
import type { run as runs } from './run.ts';

/**
 * `run.ts` in the build: two CommonJS files, `run.cjs` with what a plain `compile` needs and `late.cjs` with what is
 * imported later, each with the engine's own code for it. Compiling a bundle takes as long as everything else in a
 * small run; with this code, compiling takes next to no time.
 *
 * The code is for one version of Node on one kind of machine, which its name shows. The engine refuses it in another
 * version of its own, with other flags, for a text of another length, and if its end is missing. It does not check the
 * bytes and would run anything, so a checksum follows them. The build makes the code and puts it next to the bundle of
 * a clone. The package does not have it, because the user's Node is unknown. The program never writes any of this when
 * it runs, and reads nothing from a folder that others might write to.
 */
export const { run } = bundled();

type Bundle<T> = (
  require: NodeJS.Require,
  load: (name: string) => Promise<unknown>,
  folder: string,
  module: { readonly exports: object },
) => T;

type LateModules = { readonly modules: Readonly<Record<string, () => Promise<unknown>>> };

function bundled(): { readonly run: typeof runs } {
  const folder = import.meta.dirname;
  const require = createRequire(join(folder, 'run.cjs'));
  let late: LateModules | undefined;
  const load = async (name: string) => {
    late ??= evaluated<LateModules>('late');
    return late.modules[name]?.();
  };
  const evaluated = <T>(name: string): T => {
    const bundle = bundleOf<T>(join(folder, `${name}.cjs`), require);
    return bundle(require, load, folder, { exports: {} });
  };
  return evaluated('run');
}

function bundleOf<T>(file: string, require: NodeJS.Require): Bundle<T> {
  const code = file.replace(/\.cjs$/, `-${process.version}-${process.platform}-${process.arch}.code`);
  const cachedData = existsSync(code) ? wholeCode(readFileSync(code)) : undefined;
  // Node's own cache, if there is one, covers required files.
  if (cachedData === undefined) return require(file) as Bundle<T>;
  // A bundle has only ASCII characters.
  const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData });
  return script.runInThisContext() as Bundle<T>;
}

/** The code before its checksum; undefined if it is not what was written. */
function wholeCode(file: Buffer): Buffer | undefined {
  const end = file.length - 4;
  if (end < 0) return undefined;
  const code = file.subarray(0, end);
  return zlib.crc32(code) === file.readUInt32LE(end) ? code : undefined;
}
