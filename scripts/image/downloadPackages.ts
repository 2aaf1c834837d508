import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Architecture } from './contents.ts';

/** A Debian package that was downloaded. */
export interface DebianPackage {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  /** The source package, where it has another name. */
  readonly source: string | undefined;
  /** Names of packages, versions aside; of alternatives, all. */
  readonly dependencies: readonly string[];
  readonly sha256: string;
  /** The `.deb`. */
  readonly file: string;
  /** All that its control file says. */
  readonly control: string;
}

/** How long lists of packages are taken for new: security updates come any day. */
const listsAge = 24 * 3600 * 1000;

/**
 * Downloads packages with all that they depend on, from the sources that this system's apt has, whatever is installed on
 * it and for whatever machine: state and cache are in the folder alone. What is there is not downloaded again.
 */
export function downloadPackages(
  names: readonly string[],
  architecture: Architecture,
  folder: string,
): readonly DebianPackage[] {
  const archives = join(folder, 'cache/archives');
  for (const path of ['lists/partial', 'cache/archives/partial']) mkdirSync(join(folder, path), { recursive: true });
  const config = join(folder, 'apt.conf');
  writeFileSync(join(folder, 'status'), '');
  writeFileSync(config, aptConfig(folder, architecture));
  const env = { ...process.env, APT_CONFIG: config, LC_ALL: 'C' };
  const run = (...words: readonly string[]) =>
    execFileSync('apt-get', ['-q', ...words], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  const updated = join(folder, 'updated');
  if (!existsSync(updated) || Date.now() - statSync(updated).mtimeMs > listsAge) {
    run('update');
    writeFileSync(updated, '');
  }
  const planned = run('install', '--simulate', ...names);
  const wanted = new Set(
    [...planned.matchAll(/^Inst (\S+) \((\S+) /gm)].map(([, name, version]) => `${name}=${version}`),
  );
  run('install', '--yes', '--download-only', ...names);
  return readdirSync(archives)
    .filter((file) => file.endsWith('.deb'))
    .sort()
    .map((file) => readPackage(join(archives, file)))
    .filter(({ name, version }) => wanted.has(`${name}=${version}`));
}

function aptConfig(folder: string, architecture: Architecture): string {
  return `APT::Architecture "${architecture}";
APT::Architectures { "${architecture}"; };
APT::Install-Recommends "false";
APT::Get::AllowUnauthenticated "false";
APT::Sandbox::User "root";
Dir::State "${folder}";
Dir::State::lists "${folder}/lists";
Dir::State::status "${folder}/status";
Dir::Cache "${folder}/cache";
Debug::NoLocking "true";
Acquire::Languages "none";
`;
}

function readPackage(file: string): DebianPackage {
  const control = execFileSync('dpkg-deb', ['--field', file], { encoding: 'utf8' });
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(control)?.[1];
  const needed = (name: string) => field(`Pre-${name}`) ?? '';
  return {
    name: field('Package') ?? '',
    version: field('Version') ?? '',
    architecture: field('Architecture') ?? '',
    source: field('Source')?.split(' ')[0],
    dependencies: `${needed('Depends')}, ${field('Depends') ?? ''}`
      .split(/[,|]/)
      .map((one) => one.trim().split(/[ :]/)[0] ?? '')
      .filter((one) => one !== ''),
    sha256: createHash('sha256').update(readFileSync(file)).digest('hex'),
    file,
    control,
  };
}
