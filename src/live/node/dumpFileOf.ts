import type { DumpFile } from '../../dump/dumpFile.ts';
import { factFiles } from '../../dump/factFiles.ts';

/** What a node of a cluster printed, named as a file of an archive is. */
export function dumpFileOf(node: string, file: string, text: string): DumpFile {
  // That nft lists nothing is a fact here: it ended well.
  const kind = factFiles.get(file) ?? (file === 'dumps/nft.txt' ? 'nft' : undefined);
  return { name: `node/${node}:${file}`, text, ...(kind !== undefined && { kind }) };
}
