// Builds dist/ after an install. `npm install --global git+…` prepares its clone by an install that is global too: that
// puts a link to the clone, which is deleted soon, in the place of the package, and the packages that the build needs
// nowhere. Both are put right here. Plain JavaScript, as nothing else can run yet.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, lstatSync, mkdirSync, realpathSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const own = Object.entries(process.env).filter(
  ([name]) => !/^npm_config_(?:global|location|prefix|omit|only)$/i.test(name),
);
const env = { ...Object.fromEntries(own), npm_config_global: 'false', npm_config_location: 'project' };

if (!existsSync(join(root, 'node_modules/tsx')) || !existsSync(join(root, 'node_modules/esbuild'))) {
  const npm = process.env.npm_execpath;
  const [command, ...words] = npm === undefined ? ['npm'] : [process.execPath, npm];
  run(command, [...words, 'ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
}
run(process.execPath, ['--import', 'tsx', 'scripts/build.ts']);
replaceLinkToClone();

/** npm goes on in the folder, and then writes the package over it. */
function replaceLinkToClone() {
  const prefix = process.env.npm_config_global_prefix ?? process.env.npm_config_prefix;
  if (process.env.npm_config_global !== 'true' || prefix === undefined || !/_cacache[\\/]tmp[\\/]git-clone/.test(root))
    return;
  const link = join(prefix, process.platform === 'win32' ? 'node_modules' : 'lib/node_modules', 'k8snet');
  const isLink = lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  if (!isLink || realpathSync(link) !== realpathSync(root)) return;
  unlinkSync(link);
  mkdirSync(link);
  copyFileSync(join(root, 'package.json'), join(link, 'package.json'));
  cpSync(join(root, 'bin'), join(link, 'bin'), { recursive: true });
}

/** Standard output stays free: `npm pack` prints the name of its file there, and pre-commit reads it. */
function run(command, words) {
  const { status, error } = spawnSync(command, words, { cwd: root, env, stdio: ['ignore', 2, 2] });
  if (error) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}
