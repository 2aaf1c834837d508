import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { bundlePage } from './bundlePage.ts';
import { bundleCli } from './commandLine/bundleCli.ts';

const root = join(import.meta.dirname, '..');

/**
 * Builds test files, and what they start as processes of their own, into a folder under the names of the sources:
 * `test/x.test.ts` becomes `test/x.test.js`. The command line is the one that is published.
 */
export async function buildTests(files: readonly string[], folder: string): Promise<void> {
  const isMeasured = process.env.NODE_V8_COVERAGE !== undefined;
  await Promise.all([
    build({
      entryPoints: [...files, ...startedFiles()],
      bundle: true,
      splitting: true,
      packages: 'external',
      absWorkingDir: root,
      outbase: root,
      outdir: folder,
      chunkNames: 'chunks/[name]-[hash]',
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: 'linked',
      sourcesContent: false,
      plugins: [sourcePlaces],
      logLevel: 'warning',
    }),
    bundleCli(join(folder, 'src/cli'), isMeasured ? measured : {}, isMeasured),
    ...(files.some((file) => /^test\/(?:page\/|cluster\/live)/.test(file))
      ? [bundlePage(join(folder, 'src/cli'))]
      : []),
  ]);
}

/** How the command line is built where coverage counts lines of the sources, and of nothing else. */
const measured: BuildOptions = {
  sourcemap: 'linked',
  sourcesContent: false,
  minifySyntax: false,
  minifyWhitespace: false,
  packages: 'external',
  alias: {},
};

/** What tests start by itself: every path that they give to `builtFile`, the command line aside, which is built already. */
function startedFiles(): readonly string[] {
  const sources = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => readFileSync(join(root, 'test', path), 'utf8'));
  const paths = sources.flatMap((text) => [...text.matchAll(/builtFile\('([^']+)'\)/g)].map((match) => match[1] ?? ''));
  return [...new Set(paths)].filter((path) => !path.startsWith('src/cli/'));
}

/** Files keep the places of their sources: fixtures are found from there. */
const sourcePlaces: Plugin = {
  name: 'source-places',
  setup(bundle) {
    bundle.onLoad({ filter: /\/(?:test|src|scripts)\/.*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!/import\.meta\.(?:dirname|url)/.test(text)) return undefined;
      const contents = text
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href));
      return { contents, loader: 'ts' };
    });
  },
};
