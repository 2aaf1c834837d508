import { manifestName } from '../manifestName.ts';
import { decodeFile } from './decodeFile.ts';
import { readBytes } from './readBytes.ts';
import { tarFiles } from './tarFiles.ts';
import { unpackGzip } from './unpackGzip.ts';

/** A file in an archive, named with it. */
export interface PackedText {
  readonly name: string;
  readonly text: string;
}

/** The objects in an archive that `collect` packed, which are in its folder `cluster`; undefined: it is no archive, damaged: it is cut. */
export async function packedObjects(path: string): Promise<readonly PackedText[] | 'damaged' | undefined> {
  const read = readBytes(path);
  if (read.kind !== 'bytes') return undefined;
  const isPacked = read.bytes[0] === 0x1f && read.bytes[1] === 0x8b;
  const bytes = isPacked ? unpackGzip(read.bytes) : read.bytes;
  const archive = bytes && (await tarFiles(bytes));
  if (archive?.isCut) return 'damaged';
  return archive?.files
    .filter(({ name }) => /(?:^|\/)cluster\/[^/]+$/.test(name) && manifestName.test(name))
    .map(({ name, content }) => ({ name: `${path}:${name}`, text: decodeFile(content).text }));
}
