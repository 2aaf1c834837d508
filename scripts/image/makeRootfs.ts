import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { type Architecture, contents, ownFiles, triplets } from './contents.ts';
import type { DebianPackage } from './downloadPackages.ts';

/**
 * Makes the file system of an image: the executable, the files that `contents.ts` names, the libraries that they load, and
 * for every package that something comes from its license and what scanners read. Returns these packages.
 */
export function makeRootfs(
  rootfs: string,
  executable: string,
  packages: readonly DebianPackage[],
  architecture: Architecture,
): readonly DebianPackage[] {
  const stage = mkdtempSync(join(tmpdir(), 'k8snet-rootfs-'));
  try {
    for (const root of [stage, rootfs]) mergeUsr(root);
    const owners = new Map<string, DebianPackage>();
    for (const one of packages) for (const path of unpack(one, stage)) owners.set(path, one);
    const taken = withLibraries(stage, chosenFiles(stage, architecture), executable, triplets[architecture]);
    for (const path of taken) copy(stage, rootfs, path);
    mkdirSync(join(rootfs, 'usr/bin'), { recursive: true });
    cpSync(executable, join(rootfs, 'usr/bin/k8snet'));
    for (const [path, text] of Object.entries(ownFiles)) writeFileSync(place(rootfs, path), text);
    const used = [...new Set([...taken].flatMap((path) => owners.get(path) ?? []))];
    const licensed = used.flatMap((one) => [one, ...licence(stage, rootfs, one, owners)]);
    const all = [...new Set(licensed)].sort((a, b) => (a.name < b.name ? -1 : 1));
    // One file a package, where no dpkg is: scanners of images look there.
    for (const { name, control } of all) writeFileSync(place(rootfs, `var/lib/dpkg/status.d/${name}`), control);
    return all;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** Debian's layout since 12: what packages still put elsewhere comes to lie in `usr`. */
function mergeUsr(root: string): void {
  for (const folder of ['bin', 'sbin', 'lib', 'lib64']) {
    mkdirSync(join(root, 'usr', folder), { recursive: true });
    symlinkSync(`usr/${folder}`, join(root, folder));
  }
}

/** Paths of its files, without links to folders in them. */
function unpack({ file }: DebianPackage, stage: string): readonly string[] {
  const files = execFileSync('dpkg-deb', ['--fsys-tarfile', file], { maxBuffer: 2 ** 28 });
  execFileSync('tar', ['--extract', '--keep-directory-symlink', '--directory', stage], { input: files });
  const listing = execFileSync('dpkg-deb', ['--contents', file], { encoding: 'utf8', maxBuffer: 2 ** 26 });
  return listing
    .split('\n')
    .map((line) => / \.\/(.*?)(?: -> .*)?$/.exec(line)?.[1] ?? '')
    .filter((path) => path !== '' && !path.endsWith('/'))
    .map(withoutMerged);
}

function withoutMerged(path: string): string {
  return path.replace(/^(?=(?:bin|sbin|lib|lib64)\/)/, 'usr/');
}

function chosenFiles(stage: string, architecture: Architecture): readonly string[] {
  const paths = contents.flatMap(({ name, files }) =>
    files.map((file) => ({ name, path: file.replace('TRIPLET', triplets[architecture]) })),
  );
  return paths.flatMap(({ name, path }) => {
    const found = [path, path.replace('/bin/', '/sbin/'), path.replace('/sbin/', '/bin/')].find((one) =>
      lstatSync(join(stage, one), { throwIfNoEntry: false }),
    );
    if (found === undefined) throw new Error(`package ${name} has no ${path}`);
    return filesBelow(stage, found);
  });
}

function filesBelow(stage: string, path: string): readonly string[] {
  if (!lstatSync(join(stage, path)).isDirectory()) return [path];
  return readdirSync(join(stage, path)).flatMap((name) => filesBelow(stage, `${path}/${name}`));
}

/** The files, what links among them lead to, and the libraries that any of them or the executable loads at its start. */
function withLibraries(stage: string, files: readonly string[], executable: string, triplet: string): Set<string> {
  const folders = [`usr/lib/${triplet}`, 'usr/lib', 'usr/lib64'];
  const taken = new Set<string>();
  const take = (path: string) => {
    if (taken.has(path)) return;
    taken.add(path);
    const target = linkTarget(stage, path);
    if (target !== undefined) take(target);
    else for (const needed of neededLibraries(join(stage, path))) takeLibrary(needed, path);
  };
  const takeLibrary = (name: string, by: string) => {
    const own = name.startsWith('/') ? [withoutMerged(name.slice(1))] : folders.map((folder) => `${folder}/${name}`);
    const found = own.find((path) => lstatSync(join(stage, path), { throwIfNoEntry: false }));
    if (found === undefined) throw new Error(`${by} needs ${name}, which no package has`);
    take(found);
  };
  for (const file of files) take(file);
  for (const needed of neededLibraries(executable)) takeLibrary(needed, executable);
  return taken;
}

/** Where a link leads, as a path from the root; undefined: not a link. */
function linkTarget(stage: string, path: string): string | undefined {
  const full = join(stage, path);
  if (!lstatSync(full).isSymbolicLink()) return undefined;
  const target = readlinkSync(full);
  const inStage = target.startsWith('/') ? join(stage, target) : join(dirname(full), target);
  const folder = realpathSync(dirname(inStage));
  return relative(realpathSync(stage), join(folder, inStage.slice(inStage.lastIndexOf('/') + 1)));
}

/** The names of libraries, and the path of the loader; none of what is no program. */
function neededLibraries(file: string): readonly string[] {
  if (!readFileSync(file).subarray(0, 4).equals(elfMagic)) return [];
  const words = ['--wide', '--dynamic', '--program-headers', file];
  const text = execFileSync('readelf', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const loader = /\[Requesting program interpreter: (.*)\]/.exec(text)?.[1];
  const names = [...text.matchAll(/\(NEEDED\)\s+Shared library: \[(.*)\]/g)].map(([, name]) => name as string);
  return loader === undefined ? names : [...names, loader];
}

const elfMagic = Buffer.from('\x7fELF', 'latin1');

function copy(stage: string, rootfs: string, path: string): void {
  const target = place(rootfs, path);
  if (lstatSync(join(stage, path)).isSymbolicLink()) symlinkSync(readlinkSync(join(stage, path)), target);
  else cpSync(join(stage, path), target);
}

function place(rootfs: string, path: string): string {
  const target = join(rootfs, path);
  mkdirSync(dirname(target), { recursive: true });
  return target;
}

/** Copies the license of a package; the package that has it, where that is another. */
function licence(
  stage: string,
  rootfs: string,
  { name }: DebianPackage,
  owners: ReadonlyMap<string, DebianPackage>,
): readonly DebianPackage[] {
  const path = join(stage, 'usr/share/doc', name, 'copyright');
  if (!existsSync(path)) throw new Error(`package ${name} has no licence`);
  const real = relative(realpathSync(stage), realpathSync(path));
  cpSync(join(stage, real), place(rootfs, `usr/share/doc/${name}/copyright`));
  const owner = owners.get(real);
  return owner === undefined ? [] : [owner];
}
