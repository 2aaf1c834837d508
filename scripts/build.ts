import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { bundleBrowser } from './bundleBrowser.ts';

/**
 * Bundles the command line into dist/, or into the folder that is given. Opening a file costs more than parsing it, so what a plain `compile` needs is one
 * file, `run.js`; `main.js` before it only answers `--version`, and everything else is in `cold/`, in pieces that are
 * loaded when they are asked for. Functions may be in several files: they keep no state. An installed package has no
 * dependencies; the licences of what is inside go along.
 */
const root = join(import.meta.dirname, '..');
const dist = resolve(process.argv[2] ?? join(root, 'dist'));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** Marks a resolution that the plugin itself asks for. */
const resolving = Symbol('resolving');

/** What a plain `compile` loads at run time, of what is imported only when needed. */
const hot = [
  'src/cli/commands/compile.ts',
  'src/pipeline/compile.ts',
  'src/output/nodeFiles.ts',
  'src/output/artefacts.ts',
  'src/output/iptablesArtefacts.ts',
  'src/output/chooseForStdout.ts',
].map((path) => join(root, path));

const common: BuildOptions = {
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: 'none',
  // The package's ES modules: its CommonJS ones lose their names in an ES bundle.
  alias: { yaml: join(root, 'node_modules/yaml/browser/index.js') },
  define: { K8SNET_VERSION: JSON.stringify(version) },
  banner: {
    // CommonJS packages inside ask for built-in modules by require.
    js: "import{createRequire as k8snetCreateRequire}from'node:module';const require=k8snetCreateRequire(import.meta.url);",
  },
  logLevel: 'warning',
};

rmSync(dist, { recursive: true, force: true });
await build({
  ...common,
  entryPoints: [join(root, 'src/cli/main.ts')],
  outdir: dist,
  plugins: [outside((path) => (path === join(root, 'src/cli/run.ts') ? './run.js' : undefined))],
});
const cold = new Map<string, string>();
await build({ ...common, entryPoints: [join(root, 'src/cli/run.ts')], outdir: dist, plugins: [outside(coldFile)] });
await build({
  ...common,
  entryPoints: Object.fromEntries([...cold].map(([path, name]) => [name, path])),
  outdir: join(dist, 'cold'),
  splitting: true,
});
await build({ ...common, entryPoints: [join(root, 'src/api.ts')], outdir: join(dist, 'api'), splitting: true });
await bundleBrowser(join(dist, 'browser'));
writeTypes();
writeLicences();

/** Declarations for those who import the package. */
function writeTypes(): void {
  const options = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--rewriteRelativeImportExtensions'];
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  const files = ['--rootDir', join(root, 'src'), '--outDir', join(dist, 'types')];
  execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), ...options, ...files], {
    stdio: 'inherit',
  });
}

/** Leaves dynamic imports out of a bundle where a file of their own is named for them. */
function outside(fileOf: (path: string) => string | undefined): Plugin {
  return {
    name: 'outside',
    setup(bundle) {
      bundle.onResolve({ filter: /./ }, async (args) => {
        if (args.kind !== 'dynamic-import' || args.pluginData === resolving) return undefined;
        const path = args.path.startsWith('.')
          ? resolve(args.resolveDir, args.path)
          : (await bundle.resolve(args.path, { kind: args.kind, resolveDir: args.resolveDir, pluginData: resolving }))
              .path;
        const file = fileOf(path);
        return file === undefined ? undefined : { path: file, external: true };
      });
    },
  };
}

function coldFile(path: string): string | undefined {
  if (hot.includes(path)) return undefined;
  const known = cold.get(path);
  const taken = new Set(cold.values());
  let name = known ?? basename(path).replace(/\.[a-z]+$/, '');
  while (known === undefined && taken.has(name)) name += '_';
  cold.set(path, name);
  return `./cold/${name}.js`;
}

function writeLicences(): void {
  const licences = ['@noble/hashes', 'chalk', 'commander', 'diff', 'yaml'].map((name) => {
    const folder = join(root, 'node_modules', name);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name}\n${'='.repeat(name.length)}\n\n${file ? readFileSync(join(folder, file), 'utf8') : ''}`;
  });
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licences.join('\n\n'));
}
