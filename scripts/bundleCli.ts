import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { bundleOptions } from './bundleOptions.ts';
import { lateChildProcess } from './lateChildProcess.ts';

const root = join(import.meta.dirname, '..');

/** Marks a resolution that the plugin itself asks for. */
const resolving = Symbol('resolving');

/** What a plain `compile` loads at run time, of what is imported only when needed. */
const hot = [
  'src/cli/commands/compile.ts',
  'src/load/load.ts',
  'src/pipeline/slicesAhead.ts',
  'src/pipeline/compile.ts',
  'src/output/nodeFiles.ts',
  'src/output/artefacts.ts',
  'src/output/iptablesArtefacts.ts',
  'src/output/chooseForStdout.ts',
].map((path) => join(root, path));

/**
 * Bundles the command line into a folder. Opening a file costs more than parsing it, so what a plain `compile` needs is
 * one file, `run.cjs`, with the engine's code for it, which `run.js` loads; `main.js` before it only answers `--version`,
 * and everything else is in `cold/`, in pieces that are loaded when they are asked for. Functions may be in several files:
 * they keep no state. `isPlain`: all of `run.js` is a module, for what measures coverage.
 */
export async function bundleCli(folder: string, more: BuildOptions = {}, isPlain = false): Promise<void> {
  const common = { ...bundleOptions, ...more, outdir: folder };
  await build({
    ...common,
    entryPoints: [join(root, 'src/cli/main.ts')],
    plugins: [outside((path) => (path === join(root, 'src/cli/run.ts') ? './run.js' : undefined))],
  });
  const cold = new Map<string, string>();
  await build({
    ...common,
    ...(isPlain ? {} : asFunction),
    entryPoints: [join(root, 'src/cli/run.ts')],
    plugins: [outside((path) => (hot.includes(path) ? undefined : coldFile(path, cold))), lateChildProcess],
  });
  if (!isPlain) {
    await build({ ...common, entryPoints: { run: join(root, 'src/cli/cachedRun.ts') } });
    loadLate(join(folder, 'run.cjs'));
  }
  await build({
    ...common,
    entryPoints: Object.fromEntries([...cold].map(([path, name]) => [name, path])),
    outdir: join(folder, 'cold'),
    splitting: true,
  });
  // Programs that the lab starts lie beside the code that starts them.
  for (const name of ['agent.pl', 'uml-run', 'uml']) {
    cpSync(join(root, 'src/lab', name), join(folder, 'cold', name), { recursive: true });
  }
  if (!isPlain) {
    const { NODE_OPTIONS: _, ...env } = process.env;
    const words = [join(root, 'scripts/writeCode.mjs'), join(folder, 'run.cjs')];
    execFileSync(process.execPath, words, { env, stdio: ['ignore', 'ignore', 'inherit'] });
  }
}

/**
 * A file whose value is a function of what it needs, which is also what it exports. In parentheses, as the engine then
 * compiles all of it at once, not twice.
 */
const asFunction: BuildOptions = {
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  banner: { js: '(typeof module==="object"?module:{}).exports=(function(require,k8snetLoad,module){' },
  footer: { js: 'return module.exports})' },
};

/** A script that is compiled from cached code cannot import by itself. */
function loadLate(file: string): void {
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, text.replace(/\bimport\((?=")/g, 'k8snetLoad('));
}

/** Leaves dynamic imports out of a bundle where a file of their own is named for them. */
function outside(fileOf: (path: string) => string | undefined): Plugin {
  return {
    name: 'outside',
    setup(bundle) {
      bundle.onResolve({ filter: /./ }, async (args) => {
        if (args.kind !== 'dynamic-import' || args.pluginData === resolving) return undefined;
        const { path, external } = await bundle.resolve(args.path, {
          kind: args.kind,
          resolveDir: args.resolveDir,
          pluginData: resolving,
        });
        const file = external ? undefined : fileOf(path);
        return file === undefined ? undefined : { path: file, external: true };
      });
    },
  };
}

/** A file's name in `cold/`, given to it where it has none yet. */
function coldFile(path: string, cold: Map<string, string>): string {
  const known = cold.get(path);
  const taken = new Set(cold.values());
  let name = known ?? basename(path).replace(/\.[a-z]+$/, '');
  while (known === undefined && taken.has(name)) name += '_';
  cold.set(path, name);
  return `./cold/${name}.js`;
}
