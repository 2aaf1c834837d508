import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { bundleOptions } from './bundleOptions.ts';
import { lateChildProcess } from './lateChildProcess.ts';

const root = join(import.meta.dirname, '..');

/** CommonJS packages inside ask for built-in modules by require. */
const banner = {
  js: "import{createRequire as k8snetCreateRequire}from'node:module';const require=k8snetCreateRequire(import.meta.url);",
};

/** Marks a resolution that the plugin itself asks for. */
const resolving = Symbol('resolving');

/**
 * What a plain `compile` loads at run time, of what is imported only when needed, and what says its warnings; and what
 * answers shells.
 */
const hot = [
  'src/cli/commands/compile.ts',
  'src/load/files/load.ts',
  'src/pipeline/ahead/slicesAhead.ts',
  'src/pipeline/compile.ts',
  'src/output/nodeFiles.ts',
  'src/output/artefacts.ts',
  'src/output/backends/iptablesOutput.ts',
  'src/output/chooseForStdout.ts',
  'src/diagnostics/foldDiagnostics.ts',
  'src/diagnostics/orderDiagnostics.ts',
  'src/diagnostics/renderText.ts',
  'src/load/locate.ts',
  'src/cli/write/style.ts',
  // Completion must answer a key at once, even with names from manifests.
  'src/cli/completion/answerWithInput.ts',
  'src/cli/completion/builtTable.ts',
].map((path) => join(root, path));

/**
 * Bundles the command line into a folder. Opening a file costs more than parsing it, so what a plain `compile` needs is
 * one file, `run.cjs`, and everything else is another, `late.cjs`, which is loaded on demand. `main.cjs` answers
 * `--version`, or loads them with the engine's code for them; `main.js` and `run.js` do the same as modules. Everything
 * else is CommonJS because Node starts it faster. Functions may be in several bundles: they keep no state. What threads
 * run is in `dumpThread.cjs`, or the program itself; `commands.json` has the arguments of the command line, for
 * completion. `isPlain`: everything as modules without threads, for measuring coverage.
 */
export async function bundleCli(folder: string, more: BuildOptions = {}, isPlain = false): Promise<void> {
  const common = { ...bundleOptions, banner, ...more, outdir: folder };
  const late = new Map<string, string>();
  if (isPlain) await bundleModules(common, late);
  else await bundleScripts(folder, common, late);
  // Programs that the lab starts lie beside the code that starts them.
  for (const name of ['agent.pl', 'uml-run', 'uml']) {
    cpSync(join(root, 'src/lab', name), join(folder, isPlain ? 'late' : '', name), { recursive: true });
  }
  if (isPlain) return;
  const { NODE_OPTIONS: _, ...env } = process.env;
  execFileSync(process.execPath, [join(root, 'scripts/writeCode.mjs'), folder], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const commands = execFileSync(process.execPath, [join(folder, 'main.cjs'), '__commands'], { env });
  writeFileSync(join(folder, 'commands.json'), commands);
}

async function bundleModules(common: BuildOptions, late: Map<string, string>): Promise<void> {
  const isRun = (path: string) => path === join(root, 'src/cli/run.ts');
  await build({
    ...common,
    entryPoints: [join(root, 'src/cli/main.ts')],
    plugins: [outside((path) => (isRun(path) ? './run.js' : undefined))],
  });
  const fileOf = (path: string) => (hot.includes(path) ? undefined : `./late/${nameOf(path, late)}.js`);
  await build({
    ...common,
    entryPoints: [join(root, 'src/cli/run.ts')],
    plugins: [outside(fileOf), lateChildProcess],
  });
  await build({
    ...common,
    entryPoints: Object.fromEntries([...late].map(([path, name]) => [name, path])),
    outdir: join(common.outdir ?? '', 'late'),
    splitting: true,
  });
}

async function bundleScripts(folder: string, common: BuildOptions, late: Map<string, string>): Promise<void> {
  const fileOf = (path: string) => (hot.includes(path) ? undefined : `late:${nameOf(path, late)}`);
  const options = { ...common, ...asFunction };
  await build({
    ...options,
    entryPoints: [join(root, 'src/cli/run.ts')],
    plugins: [outside(fileOf), lateChildProcess],
  });
  const importOf = ([path, name]: readonly [string, string]) => `${name}: () => import(${JSON.stringify(path)})`;
  const contents = `export const modules = { ${[...late].sort().map(importOf).join(', ')} };`;
  const { outdir: _, ...one } = options;
  await build({
    ...one,
    stdin: { contents, resolveDir: root },
    outfile: join(folder, 'late.cjs'),
    plugins: [lateChildProcess],
  });
  await build({ ...common, entryPoints: { run: join(root, 'src/cli/cachedRun.ts') } });
  await build({
    ...common,
    entryPoints: [join(root, 'src/cli/main.ts')],
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    define: { ...bundleOptions.define, 'import.meta.dirname': '__dirname' },
    banner: {},
    plugins: [cachedRun],
  });
  await build({
    ...common,
    entryPoints: [join(root, 'src/cli/long/dumpThread.ts')],
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
    banner: {},
  });
  writeFileSync(join(folder, 'main.js'), "import './main.cjs';\n");
  for (const name of ['run.cjs', 'late.cjs']) loadLate(join(folder, name));
}

/** `run.ts` is in bundles of its own. */
const cachedRun: Plugin = {
  name: 'cached run',
  setup(bundle) {
    bundle.onResolve({ filter: /^\.\/run\.ts$/ }, () => ({ path: join(root, 'src/cli/cachedRun.ts') }));
  },
};

/**
 * A file whose value is a function of what it needs, which is also what it exports. In parentheses, as the engine then
 * compiles all of it at once, not twice.
 */
const asFunction: BuildOptions = {
  format: 'cjs',
  outExtension: { '.js': '.cjs' },
  define: { ...bundleOptions.define, 'import.meta.dirname': 'k8snetFolder' },
  banner: {
    js: '(typeof module==="object"?module:{}).exports=(function(require,k8snetLoad,k8snetFolder,module){',
  },
  footer: { js: 'return module.exports})' },
};

/**
 * A script that is compiled from cached code cannot import by itself, and is read byte by byte: of what is not ASCII,
 * esbuild leaves that in regular expressions as it is.
 */
function loadLate(file: string): void {
  const text = readFileSync(file, 'utf8')
    .replace(/\bimport\("late:(\w+)"\)/g, 'k8snetLoad("$1")')
    .replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const [left] = /\bimport(?:\(|\.meta).{0,60}/.exec(text) ?? [];
  if (left !== undefined) throw new Error(`${file} imports by itself: ${left}`);
  writeFileSync(file, text);
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

/** The name of a file that is loaded late: the same in every build, in whichever order its importers are read. */
function nameOf(path: string, late: Map<string, string>): string {
  const name = relative(join(root, 'src'), path)
    .replace(/\.[a-z]+$/, '')
    .replace(/\W/g, '_');
  for (const [other, taken] of late)
    if (taken === name && other !== path) throw new Error(`${path} and ${other} have one name`);
  late.set(path, name);
  return name;
}
