import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bunVersion } from './bunVersion.ts';
import { billOfMaterials } from './image/billOfMaterials.ts';
import { bundledPackages } from './image/bundledPackages.ts';
import { contents } from './image/contents.ts';
import { downloadPackages } from './image/downloadPackages.ts';
import { makeRootfs } from './image/makeRootfs.ts';

/**
 * Makes the image of the agent: `npm run build:image -- FOLDER --executable FILE [--arch amd64|arm64] [--cache FOLDER]
 * [--revision COMMIT]` writes FOLDER/k8snet-VERSION-linux-ARCH.tar, an OCI archive, and its bill of materials beside it,
 * `.cdx.json`. The executable is one of `npm run build:executables`, for glibc. Needs buildah, and apt of a Debian: programs
 * come from its packages, as new as they are. The same executable, packages and commit give the same bytes. `--cache` keeps
 * what was downloaded; `--revision` and SOURCE_DATE_EPOCH (seconds since 1970) stand in for the commit and its time.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    executable: { type: 'string' },
    arch: { type: 'string', default: 'amd64' },
    cache: { type: 'string' },
    revision: { type: 'string' },
  },
});
const root = join(import.meta.dirname, '..');
const [folder] = positionals;
const { executable, arch } = values;
if (folder === undefined || executable === undefined || (arch !== 'amd64' && arch !== 'arm64'))
  throw new Error(
    'usage: buildImage FOLDER --executable FILE [--arch amd64|arm64] [--cache FOLDER] [--revision COMMIT]',
  );

const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly license: string;
};
const [commitHash, committed] = commit();
const revision = values.revision ?? commitHash;
const created = Number(process.env.SOURCE_DATE_EPOCH ?? committed);
const scratch = mkdtempSync(join(tmpdir(), 'k8snet-image-'));
try {
  const cache = join(resolve(values.cache ?? scratch), arch);
  const names = contents.map(({ name }) => name);
  const packages = downloadPackages(names, arch, cache);
  const rootfs = join(scratch, 'rootfs');
  const debian = makeRootfs(rootfs, resolve(executable), packages, arch);
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', rootfs]);
  const file = join(resolve(folder), `k8snet-${version}-linux-${arch}`);
  mkdirSync(resolve(folder), { recursive: true });
  const bill = billOfMaterials({
    version,
    license,
    created,
    architecture: arch,
    release: releaseOf(rootfs),
    executableSha256: createHash('sha256').update(readFileSync(executable)).digest('hex'),
    engine: bunVersion,
    debian,
    npm: await bundledPackages(),
  });
  writeFileSync(`${file}.cdx.json`, bill);
  buildArchive(`${file}.tar`);
  console.log(`${file}.tar`);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** The commit and its time; of a tree that is no clone, neither. */
function commit(): readonly [string, string] {
  try {
    const words = ['-C', root, 'log', '-1', '--format=%H %ct'];
    const [hash = '', time = ''] = execFileSync('git', words, { encoding: 'utf8', stdio: 'pipe' }).trim().split(' ');
    return [hash, time];
  } catch {
    return ['unknown', '0'];
  }
}

function releaseOf(rootfs: string): string {
  return /^VERSION_ID="?([\d.]+)/m.exec(readFileSync(join(rootfs, 'usr/lib/os-release'), 'utf8'))?.[1] ?? 'unknown';
}

/** An OCI archive without times, owners and an order of its own. */
function buildArchive(archive: string): void {
  cpSync(join(root, 'deploy/image/Dockerfile'), join(scratch, 'Dockerfile'));
  const store = ['--storage-driver', 'vfs', '--root', join(scratch, 'store'), '--runroot', join(scratch, 'run')];
  const buildah = (...words: readonly string[]) =>
    execFileSync('buildah', [...store, ...words], { stdio: ['ignore', 'ignore', 'inherit'] });
  const name = `localhost/k8snet:${version}`;
  const values = {
    VERSION: version,
    REVISION: revision,
    CREATED: new Date(created * 1000).toISOString().replace('.000', ''),
  };
  const given = Object.entries(values).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]);
  const target = ['--platform', `linux/${arch}`, '--timestamp', String(created)];
  buildah('bud', '--quiet', '--isolation', 'chroot', ...target, ...given, '--tag', name, scratch);
  const layout = join(scratch, 'layout');
  buildah('push', '--quiet', name, `oci:${layout}:${name}`);
  const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--format=ustar'];
  execFileSync('tar', ['--create', '--file', archive, ...same, '--directory', layout, '.']);
}
