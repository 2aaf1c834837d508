import { join } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { bundleOptions } from './bundleOptions.ts';

const root = join(import.meta.dirname, '..');

/**
 * Bundles the API into a folder: `api/api.js` for Node and `browser/k8snet.js` for browsers, with what both need in
 * `chunks/`, once. Nothing that browsers load may ask for a module of Node: that fails the build.
 */
export async function bundleApi(folder: string): Promise<void> {
  const { metafile } = await build({
    ...bundleOptions,
    entryPoints: { 'api/api': join(root, 'src/public/api.ts'), 'browser/k8snet': join(root, 'src/public/browser.ts') },
    outdir: folder,
    chunkNames: 'chunks/[name]-[hash]',
    splitting: true,
    metafile: true,
    absWorkingDir: root,
    plugins: [builtIns],
  });
  const wrong = modulesOfNode(metafile, 'browser/k8snet.js');
  if (wrong.length > 0) throw new Error(`browsers have no ${wrong.join(', ')}`);
}

/** CommonJS packages ask for modules of Node by `require`, which modules do not have: they get what an import gives. */
const builtIns: Plugin = {
  name: 'built-in modules',
  setup(bundle) {
    bundle.onResolve({ filter: /^(?:node:)?(?:events|fs)$/ }, ({ kind, path }) =>
      kind === 'require-call' ? { path: path.replace(/^(?:node:)?/, 'node:'), namespace: 'imported' } : undefined,
    );
    bundle.onLoad({ filter: /./, namespace: 'imported' }, ({ path }) => ({
      contents: `export * from '${path}'; export { default } from '${path}';`,
    }));
    bundle.onResolve({ filter: /^node:/, namespace: 'imported' }, ({ path }) => ({ path, external: true }));
  },
};

/** Modules of Node that a file imports, at once or later, itself or by what it imports. */
function modulesOfNode({ outputs }: Metafile, name: string): readonly string[] {
  const first = Object.keys(outputs).find((path) => path.endsWith(name));
  const seen = new Set(first === undefined ? [] : [first]);
  const found = new Set<string>();
  for (const file of seen) {
    for (const { path, external } of outputs[file]?.imports ?? []) {
      if (external) found.add(path);
      else seen.add(path);
    }
  }
  return [...found];
}
