import type { DumpFile } from '../../dump/dumpFile.ts';
import { factFiles } from '../../dump/factFiles.ts';

/** The output of a cluster's node, named like a file in an archive. */
export function dumpFileOf(node: string, file: string, text: string): DumpFile {
  // An empty list of nft is a fact here: the command succeeded.
  const kind = factFiles.get(file) ?? (file === 'dumps/nft.txt' ? 'nft' : undefined);
  return { name: `node/${node}:${file}`, text, ...(kind !== undefined && { kind }) };
}
