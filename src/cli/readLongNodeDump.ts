import { basename } from 'node:path';
import type { Family } from '../common/family.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { longFile, readInBackground } from './longFile.ts';

/**
 * The long dump of one file, chains of Services as bytes; where it has to be read in the usual way, its bytes alone.
 * Undefined: the paths name something else.
 */
export async function readLongNodeDump(
  paths: readonly string[],
  family: Family | 'both' | undefined,
): Promise<NodeRules | Buffer | undefined> {
  const [path = '-', ...others] = paths;
  const file = others.length === 0 ? longFile(path) : undefined;
  if (file === undefined) return undefined;
  // The file is read in the background while the code that looks through it is loaded.
  const coming = readInBackground(file);
  const { readLongDump } = await import('../dump/readLongDump.ts');
  const dump = await readLongDump(
    { name: path, bytes: coming, node: basename(path) },
    family === 'both' ? undefined : family,
  );
  const bytes = await coming;
  return dump ?? (bytes.length > 0 ? bytes : undefined);
}
