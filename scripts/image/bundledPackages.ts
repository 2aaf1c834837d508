import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { bundleOptions } from '../bundleOptions.ts';

/** An npm package some of which is in the executable. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Names of bundled packages that it needs. */
  readonly dependencies: readonly string[];
}

const root = join(import.meta.dirname, '../..');

/** The npm packages of which something is in the command line or in the page, which the executable carries too. */
export async function bundledPackages(): Promise<readonly BundledPackage[]> {
  const inputs = await Promise.all([inputsOf(commandLine), inputsOf(page)]);
  const folders = new Set(inputs.flat().flatMap((path) => packageFolder(path) ?? []));
  const packages = [...folders].sort().map(readPackage);
  const names = new Set(packages.map(({ name }) => name));
  return packages.map((one) => ({ ...one, dependencies: one.dependencies.filter((name) => names.has(name)) }));
}

const common: BuildOptions = { ...bundleOptions, absWorkingDir: root, write: false, outdir: 'out' };

const commandLine: BuildOptions = { ...common, entryPoints: ['src/cli/main.ts'] };

const page: BuildOptions = {
  ...common,
  platform: 'browser',
  entryPoints: ['src/page/app/main.ts', 'src/page/worker/main.ts'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
};

/** Files that something is taken from: what is imported and left out again does not count. */
async function inputsOf(options: BuildOptions): Promise<readonly string[]> {
  const { metafile } = await build({ ...options, metafile: true });
  return Object.values(metafile?.outputs ?? {}).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? path : [])),
  );
}

function packageFolder(path: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
}

function readPackage(folder: string): BundledPackage {
  const { name, version, license, dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(root, folder, 'package.json'), 'utf8'),
  ) as {
    readonly name: string;
    readonly version: string;
    readonly license?: string;
    readonly dependencies?: object;
    readonly peerDependencies?: object;
  };
  if (license === undefined) throw new Error(`${folder} names no licence`);
  return { name, version, license, dependencies: Object.keys({ ...dependencies, ...peerDependencies }) };
}
