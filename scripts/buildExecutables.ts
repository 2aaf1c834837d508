import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { bundleOptions } from './bundleOptions.ts';
import { bunVersion } from './bunVersion.ts';
import { type ExecutableTarget, executableTargets } from './executableTargets.ts';
import { lateChildProcess } from './lateChildProcess.ts';

/**
 * Makes single executables: `npm run build:executables -- FOLDER [NAME…]` writes FOLDER/NAME/k8snet for each name of
 * `executableTargets.ts`, or for all. The bundle must have been built before (`npm run build`), as the page and the table
 * of commands of dist/ go inside. The engine is Bun: it starts in less than half of Node's time, needs an older libc, and
 * builds for all systems from any of them. It comes from the npm registry, of one version, into a folder that goes again,
 * and fetches its runtimes for other systems from there too.
 */
const root = join(import.meta.dirname, '..');
const [folder, ...names] = process.argv.slice(2);
if (folder === undefined) throw new Error('name the folder to write to');
const unknown = names.filter((name) => !executableTargets.some((target) => target.name === name));
if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}`);

const scratch = mkdtempSync(join(tmpdir(), 'k8snet-executable-'));
try {
  await bundle(join(scratch, 'k8snet.cjs'));
  const bun = installBun();
  for (const target of executableTargets) {
    if (names.length === 0 || names.includes(target.name)) compile(bun, target, resolve(folder, target.name));
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** One file of everything. What lies beside the bundle otherwise is text in it. */
async function bundle(outfile: string): Promise<void> {
  const files = {
    'agent.pl': 'src/lab/agent.pl',
    'page.html.br': 'dist/page.html.br',
    'commands.json': 'dist/commands.json',
  };
  const texts = Object.entries(files).map(([name, path]) => {
    return [name, readFileSync(join(root, path), name.endsWith('.br') ? 'base64' : 'utf8')];
  });
  // Nothing can lie under a file that is no folder.
  const define = { ...bundleOptions.define, 'import.meta.dirname': '"/dev/null"' };
  const banner = { js: `const K8SNET_EMBEDDED=${JSON.stringify(Object.fromEntries(texts))};` };
  const entryPoints = [join(root, 'src/cli/main.ts')];
  const plugins = [lateChildProcess];
  await build({ ...bundleOptions, entryPoints, format: 'cjs', outfile, define, banner, plugins });
}

function installBun(): string {
  const prefix = join(scratch, 'engine');
  const quiet = ['--no-fund', '--no-audit', '--loglevel=error'];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  // Without its script, which only moves files about.
  execFileSync(npm, ['install', '--prefix', prefix, '--ignore-scripts', ...quiet, `bun@${bunVersion}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { arch, platform } = process;
  const own = `bun-${platform === 'win32' ? 'windows' : platform}-${arch === 'arm64' ? 'aarch64' : arch}`;
  for (const name of [own, `${own}-musl`]) {
    const program = join(prefix, 'node_modules/@oven', name, 'bin', platform === 'win32' ? 'bun.exe' : 'bun');
    if (existsSync(program)) return program;
  }
  throw new Error(`npm brought no Bun for ${own}`);
}

/** The same bytes each time: the names that Bun writes into the file are relative ones. */
function compile(bun: string, { engine, file }: ExecutableTarget, output: string): void {
  const words = ['build', '--compile', '--bytecode', `--target=${engine}`, 'k8snet.cjs', '--outfile', file];
  const own = ['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'];
  execFileSync(bun, [...words, ...own], {
    cwd: scratch,
    // Nothing is taken from an earlier program in the same folder, or from the environment of the build.
    env: { ...process.env, BUN_INSTALL_CACHE_DIR: join(scratch, 'cache'), DO_NOT_TRACK: '1' },
    // It draws a bar while it fetches its runtimes; what it said is in the error, if there is one.
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  mkdirSync(output, { recursive: true });
  cpSync(join(scratch, file), join(output, file));
  rmSync(join(scratch, file));
}
