import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');

/** Bundles what works without Node into a folder; an import of a module of Node fails the build. */
export async function bundleBrowser(folder: string): Promise<void> {
  await build({
    entryPoints: [join(root, 'src/public/core.ts')],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    alias: { yaml: join(root, 'node_modules/yaml/browser/index.js') },
    outdir: folder,
    logLevel: 'warning',
  });
}
