import type { NodeRules } from '../../node/nodeRules.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import type { DiffOptions } from '../diffOptions.ts';
import { deducedVersionNote } from '../settle/deducedVersionNote.ts';
import { mostLikeVersion, type VersionCompared } from '../settle/mostLikeVersion.ts';
import { versionsWith } from '../settle/versionsShown.ts';

/**
 * The comparison with the version that wrote the dump, if no version was asked for: of all possible versions, the most
 * similar one. Undefined: nothing shows the version, or several versions were at work.
 */
export function compareAsDeducedVersion(
  compiled: Compiled,
  dump: NodeRules,
  options: DiffOptions,
): VersionCompared | undefined {
  const best = mostLikeVersion(compiled, dump, options, versionsWith(compiled, dump));
  if (best === undefined) return undefined;
  const note = deducedVersionNote(best.compiled);
  if (note === undefined) return best;
  return { ...best, compared: { ...best.compared, notes: [note, ...best.compared.notes] } };
}
