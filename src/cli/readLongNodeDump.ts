import { basename } from 'node:path';
import type { Family } from '../common/family.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { longFile, readInBackground } from './longFile.ts';

/**
 * The long dump of one file, chains of Services as bytes. Undefined: the paths name something else, which is to be read in
 * the usual way.
 */
export async function readLongNodeDump(
  paths: readonly string[],
  family: Family | 'both' | undefined,
): Promise<NodeRules | undefined> {
  const [path = '-', ...others] = paths;
  const file = others.length === 0 ? longFile(path) : undefined;
  if (file === undefined) return undefined;
  // The file is read in the background while the code that looks through it is loaded.
  const bytes = readInBackground(file);
  const { readLongDump } = await import('../dump/readLongDump.ts');
  return readLongDump({ name: path, bytes, node: basename(path) }, family === 'both' ? undefined : family);
}
