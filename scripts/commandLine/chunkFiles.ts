import { addTo } from '../../src/common/addTo.ts';
import type { ProgramChunk } from './programChunks.ts';

/** A file of chunks; its name has no ending. */
export interface ChunkFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Puts chunks into files, as `fileOf` says for each. The value of a file is its chunks by their names; they name others
 * with the file that these are in. In parentheses, as the engine then compiles a function at once, not twice.
 */
export function chunkFiles(chunks: readonly ProgramChunk[], fileOf: (chunk: string) => string): readonly ChunkFile[] {
  const members = new Map<string, string[]>();
  for (const { name, body } of chunks) {
    const named = body.replace(
      /\bk8snet(Chunk|Load)\("([\w-]+)"\)/g,
      (_, how, other) => `k8snet${how}("${fileOf(other)}","${other}")`,
    );
    const member = `"${name}":(function(k8snetChunk,k8snetLoad,k8snetFolder,require){${named}})`;
    const file = fileOf(name);
    addTo(members, file, member);
  }
  return [...members].map(([name, all]) => ({
    name,
    text: `(typeof module==="object"?module:{}).exports={${all.join(',\n')}};\n`,
  }));
}
