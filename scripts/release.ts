import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ExecutableTarget, executableTargets } from './executableTargets.ts';
import { type ArchiveFile, tarArchive, zipArchive } from './release/archive.ts';
import { changelogSection } from './release/changelog.ts';
import { type KrewArchive, krewManifest } from './release/krewManifest.ts';
import { releaseVersion as version } from './release/releaseDate.ts';

/**
 * Makes all parts of a release: `npm run release -- FOLDER [--base-url URL] [--executables FOLDER] [NAME…]` builds the package
 * and the executables (those of these names in `executableTargets.ts`, or all; or takes what `build:executables` wrote,
 * perhaps signed meanwhile). FOLDER must be empty. It gets the npm package, an archive for each executable, `k8snet.yaml`
 * for krew if the future place of the archives is known, the version's section of the changelog, and the checksums of all
 * of it. The same commit gives the same bytes.
 */
const root = join(import.meta.dirname, '..');

/** kubectl runs what has this name, with the words of the line. */
const completeForKubectl = `#!/bin/sh
# Completion of "kubectl k8snet": kubectl runs this where it is on the PATH.
exec kubectl-k8snet __complete "$@"
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'base-url': { type: 'string' }, executables: { type: 'string' } },
});
const [given, ...names] = positionals;
if (given === undefined) throw new Error('name the folder to write to');
const folder = resolve(given);
if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty`);
const baseUrl = values['base-url'] === undefined ? undefined : new URL(values['base-url']).href.replace(/\/$/, '');
const unknown = names.filter((name) => !executableTargets.some((target) => target.name === name));
if (unknown.length > 0) throw new Error(`unknown: ${unknown.join(', ')}`);
const section = changelogSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
if (section === undefined) throw new Error(`CHANGELOG.md has no section ## ${version} (YYYY-MM-DD)`);
if (section.date === undefined) console.error(`CHANGELOG.md: ${version} has no date yet`);

mkdirSync(folder, { recursive: true });
const scratch = mkdtempSync(join(tmpdir(), 'k8snet-release-'));
try {
  run('scripts/build.ts');
  if (values.executables === undefined) run('scripts/buildExecutables.ts', scratch, ...names);
  packPackage();
  const archives: KrewArchive[] = [];
  for (const target of executableTargets) {
    if (names.length === 0 || names.includes(target.name)) archives.push(...(await packExecutable(target)));
  }
  if (baseUrl === undefined) console.error('no k8snet.yaml for krew: --base-url says where the archives will lie');
  else writeFileSync(join(folder, 'k8snet.yaml'), krewManifest(version, archives));
  writeFileSync(join(folder, 'RELEASE-NOTES.md'), section.text);
  writeChecksums();
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function run(script: string, ...words: readonly string[]): void {
  execFileSync(process.execPath, ['--import', 'tsx', script, ...words], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** What was built just now is packed: nothing is built again. */
function packPackage(): void {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const words = ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder];
  execFileSync(npm, words, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** The archive of an executable, as krew takes it: krew knows systems and processors, and no libraries of C. */
async function packExecutable({ name, os, arch, file }: ExecutableTarget): Promise<readonly KrewArchive[]> {
  const program = {
    path: file,
    content: readFileSync(join(values.executables ?? scratch, name, file)),
    isProgram: true,
  };
  const files = [program, ...filesBeside(os)];
  const archive = `k8snet-${version}-${name}.${os === 'windows' ? 'zip' : 'tar.gz'}`;
  const packed = os === 'windows' ? zipArchive(files) : await tarArchive(files);
  writeFileSync(join(folder, archive), packed);
  if (name.endsWith('-musl')) return [];
  return [{ os, arch, uri: `${baseUrl}/${archive}`, sha256: sha256(packed), bin: file }];
}

/** What else an archive holds: completion, manual pages, licenses. */
function filesBeside(os: string): readonly ArchiveFile[] {
  const text = (path: string, content: Buffer | string) => ({ path, content: Buffer.from(content), isProgram: false });
  const completion = (shell: string) =>
    execFileSync(process.execPath, [join(root, 'dist/main.cjs'), 'completion', shell]);
  const manuals = readdirSync(join(root, 'dist/man'));
  return [
    text('LICENSE', readFileSync(join(root, 'LICENSE'))),
    text('THIRD-PARTY-LICENSES.txt', readFileSync(join(root, 'dist/THIRD-PARTY-LICENSES.txt'))),
    text('completions/k8snet.ps1', completion('powershell')),
    ...(os === 'windows'
      ? []
      : [
          { path: 'kubectl_complete-k8snet', content: Buffer.from(completeForKubectl), isProgram: true },
          text('completions/k8snet.bash', completion('bash')),
          text('completions/_k8snet', completion('zsh')),
          text('completions/k8snet.fish', completion('fish')),
          ...manuals.map((page) => text(`man/man1/${page}`, readFileSync(join(root, 'dist/man', page)))),
        ]),
  ];
}

function writeChecksums(): void {
  const lines = readdirSync(folder)
    .sort()
    .map((file) => `${sha256(readFileSync(join(folder, file)))}  ${file}\n`);
  writeFileSync(join(folder, 'SHA256SUMS'), lines.join(''));
  process.stdout.write(lines.join(''));
}

function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
