import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';

const root = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

/** What the bundles for Node have in common. */
export const bundleOptions: BuildOptions = {
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
  logLevel: 'warning',
};
