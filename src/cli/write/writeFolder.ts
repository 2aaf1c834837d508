import { closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EmittedFile } from '../../derive/emitted.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Artefact } from '../../output/artefact.ts';
import { artefactName } from '../../output/artefactName.ts';
import { writeReason } from './writeReason.ts';

/**
 * Writes artifacts into a folder, which is made if needed. Every file is complete before any takes its name, so a run
 * that fails leaves the folder as it was; what a killed run left is removed. Empty artifacts are not written. Gives the
 * names of the files, or undefined when they could not be written, which was reported.
 */
export function writeFolder(
  folder: string,
  artefacts: readonly FileToWrite[],
  report: Report,
): readonly string[] | undefined {
  const temporaries = new Map<string, string>();
  let isReplacing = false;
  try {
    makeFolder(folder);
    removeLeftovers(folder, new Set(artefacts.map(({ name }) => name)));
    for (const artefact of artefacts) {
      const temporary = join(folder, `.${artefact.name}.${process.pid}.tmp`);
      temporaries.set(artefact.name, temporary);
      if (writeFile(temporary, artefact) > 0) continue;
      rmSync(temporary);
      temporaries.delete(artefact.name);
    }
    for (const name of temporaries.keys()) refuseFolder(join(folder, name));
    isReplacing = true;
    for (const [name, temporary] of temporaries) renameSync(temporary, join(folder, name));
    return [...temporaries.keys()];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    for (const temporary of temporaries.values()) rmSync(temporary, { force: true });
    const state = isReplacing ? 'some files there are new, some old' : 'nothing was changed there';
    report({
      code: 'cannot-write',
      severity: 'error',
      message: `cannot write into ${folder}: ${writeReason(error)}; ${state}`,
      at: [],
      hint: 'choose a directory that can be written to',
    });
    return undefined;
  }
}

type FileToWrite = EmittedFile | Pick<Artefact, 'name' | 'form' | 'text'>;

/** Level by level: Node's own recursive mkdir never returns below /proc. */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder);
  } catch (error) {
    const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory();
    if (isThere !== true) throw error;
  }
}

/** Removes `.NAME.PID.tmp` of runs that are gone. */
function removeLeftovers(folder: string, names: ReadonlySet<string>): void {
  for (const entry of readdirSync(folder)) {
    const [, name = '', pid = ''] = /^\.(.+)\.(\d+)\.tmp$/.exec(entry) ?? [];
    if (!names.has(name) && artefactName(name) === undefined) continue;
    const path = join(folder, entry);
    if (!isWriting(Number(pid), path)) rmSync(path, { force: true });
  }
}

/** Whether the run that made a temporary file may still write it; its number may belong to another process by now. */
function isWriting(pid: number, path: string): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const written = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return Date.now() - written < longestRun;
}

/** Milliseconds; runs take seconds. */
const longestRun = 10 * 60_000;

/** A folder in the place of a file would be found only when some files are replaced already. */
function refuseFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw Object.assign(new Error(path), { code: 'EISDIR', syscall: 'rename' });
  }
}

/** Gives the length. Scripts can be run. */
function writeFile(path: string, artefact: FileToWrite): number {
  const file = openSync(path, 'wx', artefact.form === 'script' ? 0o755 : artefact.form === 'secret' ? 0o600 : 0o644);
  let length = 0;
  try {
    for (const piece of artefact.text()) {
      // Unlike writeSync, it goes on after a short write, and so notices a full disk.
      writeFileSync(file, piece);
      length += piece.length;
    }
  } finally {
    closeSync(file);
  }
  return length;
}
