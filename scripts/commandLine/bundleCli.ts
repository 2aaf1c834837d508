import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuildOptions, build, type Plugin } from 'esbuild';
import { bundleOptions } from '../bundleOptions.ts';
import { lateChildProcess } from '../lateChildProcess.ts';
import { type ChunkFile, chunkFiles } from './chunkFiles.ts';
import { groupChunks } from './groupChunks.ts';
import { type ProgramChunk, programChunks } from './programChunks.ts';

const root = join(import.meta.dirname, '../..');

/** CommonJS packages inside ask for built-in modules by require. */
const banner = {
  js: "import{createRequire as k8snetCreateRequire}from'node:module';const require=k8snetCreateRequire(import.meta.url);",
};

/**
 * Bundles the command line into a folder. `main.cjs` answers `--version`, or runs the program with the engine's code for
 * it; `main.js` and `run.js` do the same as modules. Everything else is CommonJS because Node starts it faster. The
 * program is in files of `program/`, by what usual runs need together: to open a file costs as much as to read some ten
 * kilobytes, and to compile what is not needed costs most. What threads run is in `dumpThread.cjs`, or the program
 * itself; `commands.json` has the arguments of the command line, for completion. `isPlain`: everything as modules
 * without threads, for measuring coverage.
 */
export async function bundleCli(folder: string, more: BuildOptions = {}, isPlain = false): Promise<void> {
  const common = { ...bundleOptions, banner, ...more, outdir: folder };
  if (isPlain) await bundleModules(common);
  else await bundleScripts(folder, common);
  // Programs that the lab starts lie beside the code that starts them.
  for (const name of ['agent.pl', 'uml-run', 'uml']) {
    cpSync(join(root, 'src/lab', name), join(folder, name), { recursive: true });
  }
  if (isPlain) return;
  ownNode(['scripts/commandLine/writeCode.mjs', folder]);
  writeFileSync(join(folder, 'commands.json'), ownNode([join(folder, 'main.cjs'), '__commands']));
}

async function bundleModules(common: BuildOptions): Promise<void> {
  await build({
    ...common,
    entryPoints: [join(root, 'src/cli/main.ts')],
    plugins: [lateChildProcess],
    splitting: true,
  });
}

async function bundleScripts(folder: string, common: BuildOptions): Promise<void> {
  const scripts: BuildOptions = { ...common, format: 'cjs', outExtension: { '.js': '.cjs' }, banner: {} };
  const [chunks] = await Promise.all([
    programChunks(join(root, 'src/cli/run.ts'), { ...common, plugins: [lateChildProcess] }),
    build({ ...common, entryPoints: { run: join(root, 'src/cli/cachedRun.ts') } }),
    build({
      ...scripts,
      entryPoints: [join(root, 'src/cli/main.ts')],
      define: { ...bundleOptions.define, 'import.meta.dirname': '__dirname' },
      plugins: [cachedRun],
    }),
    build({ ...scripts, entryPoints: [join(root, 'src/cli/long/dumpThread.ts')] }),
  ]);
  writeFileSync(join(folder, 'main.js'), "import './main.cjs';\n");
  const sizes = new Map(chunks.map(({ name, body }) => [name, body.length]));
  const files = groupChunks(sizes, usedChunks(chunks));
  writeAll(
    join(folder, 'program'),
    chunkFiles(chunks, (chunk) => files.get(chunk) ?? ''),
  );
}

/** For each usual run, the chunks that it evaluates. */
function usedChunks(chunks: readonly ProgramChunk[]): readonly (readonly string[])[] {
  const scratch = mkdtempSync(join(tmpdir(), 'k8snet-chunks-'));
  try {
    writeAll(
      scratch,
      chunkFiles(chunks, () => 'all'),
    );
    ownNode(['scripts/commandLine/usedChunks.mjs', scratch]);
    return JSON.parse(readFileSync(join(scratch, 'used.json'), 'utf8'));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function writeAll(folder: string, files: readonly ChunkFile[]): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, text } of files) writeFileSync(join(folder, `${name}.cjs`), text);
}

/** Flags of Node that are meant for this process are not for that one. */
function ownNode(words: readonly string[]): Buffer {
  const { NODE_OPTIONS: _, ...env } = process.env;
  return execFileSync(process.execPath, [...words], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** `run.ts` is in files of its own. */
const cachedRun: Plugin = {
  name: 'cached run',
  setup(bundle) {
    bundle.onResolve({ filter: /^\.\/run\.ts$/ }, () => ({ path: join(root, 'src/cli/cachedRun.ts') }));
  },
};
