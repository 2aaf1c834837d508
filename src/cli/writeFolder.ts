import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { EmittedFile } from '../emit/emitted.ts';
import type { Artefact } from '../output/artefact.ts';

/**
 * Writes artefacts into a folder, which is made if needed. Every file is complete before any takes its name, so a run
 * that fails leaves the folder as it was. Empty artefacts are not written. Gives the names of the files.
 */
export function writeFolder(folder: string, artefacts: readonly FileToWrite[], report: Report): readonly string[] {
  const temporaries = new Map<string, string>();
  try {
    mkdirSync(folder, { recursive: true });
    for (const artefact of artefacts) {
      const temporary = join(folder, `.${artefact.name}.${process.pid}.tmp`);
      temporaries.set(artefact.name, temporary);
      if (writeFile(temporary, artefact) === 0) {
        rmSync(temporary);
        temporaries.delete(artefact.name);
      }
    }
    for (const [name, temporary] of temporaries) renameSync(temporary, join(folder, name));
    return [...temporaries.keys()];
  } catch (error) {
    for (const temporary of temporaries.values()) rmSync(temporary, { force: true });
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    report({
      code: 'cannot-write',
      severity: 'error',
      message: `cannot write into ${folder} (${code}); nothing was changed there`,
      at: [],
      hint: 'give a folder that can be written to',
    });
    return [];
  }
}

type FileToWrite = EmittedFile | Pick<Artefact, 'name' | 'form' | 'text'>;

/** Gives the number of bytes. Scripts can be run. */
function writeFile(path: string, artefact: FileToWrite): number {
  const file = openSync(path, 'w', artefact.form === 'script' ? 0o755 : artefact.form === 'secret' ? 0o600 : 0o644);
  let length = 0;
  try {
    for (const piece of artefact.text()) length += writeSync(file, piece);
  } finally {
    closeSync(file);
  }
  return length;
}
