import type { Family } from '../../common/addresses/family.ts';
import type { CompareLevel } from '../../compare/diffChain.ts';
import { type DiffReport, type DumpDiffOptions, diffDumps } from '../../public/core.ts';
import { orThrow } from '../../public/result.ts';
import { nodeName } from '../dumps/nodeName.ts';
import { longFile } from './longFile.ts';
import type { ReadAhead } from './readAhead.ts';

/**
 * Compares two long iptables-save dumps that have nearly everything in common: identical parts are compared as bytes,
 * and not read. Undefined: the files are of another kind, or too short, and must be read one by one.
 */
export async function diffLongDumps(
  paths: readonly string[],
  family: Family | 'both' | undefined,
  options: DumpDiffOptions & { readonly level: CompareLevel },
  ahead: ReadAhead,
): Promise<DiffReport | undefined> {
  const files = paths.length === 2 ? paths.map(longFile) : [];
  const [one, other] = files;
  if (one === undefined || other === undefined) return undefined;
  // The files are read in the background while the code for comparing them is loaded, the second while the first is
  // searched.
  const [first, second] = [ahead(one), ahead(other)];
  const [{ readLikeDumps }, { hasRenamedChains }] = await Promise.all([
    import('../../dump/bytes/readLikeDumps.ts'),
    import('../../diff/compare/hasRenamedChains.ts'),
  ]);
  const read = await readLikeDumps(
    { name: one.path, bytes: first, node: nodeName(one.path, paths) },
    { name: other.path, bytes: second, node: nodeName(other.path, paths) },
    family === 'both' ? undefined : family,
  );
  await second;
  return read === undefined || hasRenamedChains(...read, options.level)
    ? undefined
    : orThrow(diffDumps(...read, options));
}
