import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Artefact } from '../../output/artefact.ts';
import { artefactName } from '../../output/artefactName.ts';
import { writeFolder } from './writeFolder.ts';
import { writeReason } from './writeReason.ts';

/**
 * Fills `--out-dir` with the files of one node, and removes what an earlier run wrote and this one did not: the files of
 * another mode, or of policies that are gone. A name that is not ours alone counts only in a folder that had one that is.
 * Gives the names of the files; undefined, reported: they could not be written.
 */
export function writeArtefacts(
  folder: string,
  artefacts: readonly Artefact[],
  report: Report,
): readonly string[] | undefined {
  const before = ownFiles(folder);
  const written = writeFolder(folder, artefacts, report);
  if (written === undefined) return undefined;
  const stale = before.filter((name) => !written.includes(name));
  try {
    for (const name of stale) rmSync(join(folder, name), { force: true });
  } catch (error) {
    const message = `cannot remove what an earlier run left in ${folder}: ${writeReason(error)}`;
    report({ code: 'cannot-write', severity: 'error', message, at: [] });
    return undefined;
  }
  if (stale.length > 0) {
    const message = `removed from ${folder}, left by an earlier run: ${stale.join(', ')}`;
    report({ code: 'stale-files-removed', severity: 'note', message, at: [] });
  }
  return written;
}

/** Files in a folder that a compile run wrote, as their names tell. */
function ownFiles(folder: string): readonly string[] {
  const names = entriesOf(folder).filter((name) => artefactName(name) !== undefined);
  return names.some((name) => artefactName(name) === 'specific') ? names.sort() : [];
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  } catch {
    // Not there yet, or no folder: writing will tell.
    return [];
  }
}
