import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import type { run as runs } from './run.ts';

/**
 * `run.ts` as the build bundles it: one file of CommonJS, with the engine's own code for it beside it. Compiling the
 * bundle takes as long as all that a small run does; with its code there, hardly anything is left of that.
 *
 * The code is for one version of Node on one kind of machine, which its name tells, and the engine refuses it for another
 * version of its own, for other flags and for a text of another length. It is made by the build and lies in the package:
 * nothing is ever written when the program runs, and nothing is read from a folder that others might write to.
 */
const file = fileURLToPath(new URL('run.cjs', import.meta.url));
const code = file.replace(/\.cjs$/, `-${process.version}-${process.platform}-${process.arch}.code`);

export const { run } = bundle()(createRequire(import.meta.url), (path) => import(path), { exports: {} });

type Bundle = (
  require: NodeJS.Require,
  load: (path: string) => Promise<unknown>,
  module: { readonly exports: object },
) => { readonly run: typeof runs };

function bundle(): Bundle {
  // Node's own cache, where there is one, is for what is required.
  if (!existsSync(code)) return createRequire(import.meta.url)(file) as Bundle;
  // The bundle has ASCII characters only.
  const script = new Script(readFileSync(file, 'latin1'), { filename: file, cachedData: readFileSync(code) });
  return script.runInThisContext() as Bundle;
}
