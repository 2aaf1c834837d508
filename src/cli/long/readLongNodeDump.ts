import { basename } from 'node:path';
import type { Family } from '../../common/addresses/family.ts';
import type { SearchEndpoints } from '../../node/chains/endpointSearch.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { type LongFile, type LongPurpose, longFile } from './longFile.ts';

/** A dump, and a search for chains in it that runs in parallel: undefined if no thread can do it. */
export interface SearchableDump {
  readonly dump: NodeRules;
  readonly search?: SearchEndpoints | undefined;
}

/**
 * The long dump from one file, with chains of Services as bytes; if it must be read in the usual way, only its bytes,
 * or nothing if they cannot be read. Undefined: the paths name something else.
 */
export function readLongNodeDump(
  paths: readonly string[],
  family: Family | 'both' | undefined,
  purpose: LongPurpose,
): Promise<SearchableDump | Buffer | undefined> | undefined {
  const [path = '-', ...others] = paths;
  const file = others.length === 0 ? longFile(path) : undefined;
  return file && readLongFile(file, family === 'both' ? undefined : family, purpose);
}

async function readLongFile(
  file: LongFile,
  family: Family | undefined,
  purpose: LongPurpose,
): Promise<SearchableDump | Buffer | undefined> {
  const { indexLongFile } = await import('./indexLongFile.ts');
  const coming = indexLongFile(file, purpose);
  const { readLongDump } = await import('../../dump/bytes/readLongDump.ts');
  const { bytes, index, search } = await coming;
  const dump = index && readLongDump({ name: file.path, node: basename(file.path) }, index, family);
  if (dump !== undefined) return { dump, search };
  return bytes.length > 0 ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) : undefined;
}
