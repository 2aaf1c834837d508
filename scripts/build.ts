import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Bundles the command line into dist/: one entry, and chunks for what only some commands or only failing runs need.
 * Everything is inside, so that an installed package has no dependencies; their licences go along.
 */
const root = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

rmSync(join(root, 'dist'), { recursive: true, force: true });
await build({
  entryPoints: [join(root, 'src/cli/main.ts')],
  outdir: join(root, 'dist'),
  bundle: true,
  splitting: true,
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
});

const licences = ['chalk', 'commander', 'diff', 'yaml'].map((name) => {
  const folder = join(root, 'node_modules', name);
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  return `${name}\n${'='.repeat(name.length)}\n\n${file ? readFileSync(join(folder, file), 'utf8') : ''}`;
});
mkdirSync(join(root, 'dist'), { recursive: true });
writeFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'), licences.join('\n\n'));
