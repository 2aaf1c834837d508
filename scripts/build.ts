import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { bundleApi } from './bundleApi.ts';
import { bundlePage } from './bundlePage.ts';
import { bundleCli } from './commandLine/bundleCli.ts';
import { rollTypes } from './rollTypes.ts';
import { writeManuals } from './writeManuals.ts';

/**
 * Builds what is published into dist/, or into the folder that is given: the command line, the API for Node and for
 * browsers, its types, and manual pages. An installed package has no dependencies; the licenses of what is inside go along.
 */
const root = join(import.meta.dirname, '..');
const dist = resolve(process.argv[2] ?? join(root, 'dist'));

/** What is inside of the bundles: of the command line, then of the page. */
const packages = [
  ...['@noble/hashes', 'chalk', 'commander', 'diff', 'yaml'],
  ...['preact', 'fflate', '@dagrejs/dagre', '@dagrejs/graphlib'],
  ...['autocomplete', 'commands', 'lang-yaml', 'language', 'lint', 'search', 'state', 'view'].map(
    (name) => `@codemirror/${name}`,
  ),
  ...['common', 'highlight', 'lr', 'yaml'].map((name) => `@lezer/${name}`),
  ...['@marijn/find-cluster-break', 'crelt', 'style-mod', 'w3c-keyname'],
];

rmSync(dist, { recursive: true, force: true });
await Promise.all([
  bundleCli(dist).then(() => writeManuals(dist)),
  bundleApi(dist),
  // Beside the command that writes an input into it.
  bundlePage(dist),
  writeTypes(),
]);
writeLicences();

/** Declarations for those who import the package. */
async function writeTypes(): Promise<void> {
  const { declarations } = await rollTypes();
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, 'k8snet.d.ts'), declarations);
}

function writeLicences(): void {
  const licences = packages.map((name) => {
    const folder = join(root, 'node_modules', name);
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name}\n${'='.repeat(name.length)}\n\n${file ? readFileSync(join(folder, file), 'utf8') : ''}`;
  });
  mkdirSync(dist, { recursive: true });
  writeFileSync(join(dist, 'THIRD-PARTY-LICENSES.txt'), licences.join('\n\n'));
}
