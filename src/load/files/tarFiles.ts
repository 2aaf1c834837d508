import { extract, type Header } from 'tar-stream';

/** A regular file of an archive. */
export interface PackedFile {
  readonly name: string;
  readonly content: Buffer;
}

export interface TarFiles {
  readonly files: readonly PackedFile[];
  /** The archive ends too early, or is damaged: files behind that place are missing. */
  readonly isCut: boolean;
}

/**
 * The regular files of a tar archive, with the long names of POSIX and GNU; undefined: the bytes are not an archive.
 */
export async function tarFiles(archive: Buffer): Promise<TarFiles | undefined> {
  if (archive.toString('latin1', magicAt, magicAt + 5) !== 'ustar') return undefined;
  const files: PackedFile[] = [];
  const reader = extract();
  reader.end(archive);
  try {
    for await (const entry of reader) {
      const content: Buffer[] = [];
      for await (const piece of entry) content.push(piece as Buffer);
      if (isRegular(entry.header)) files.push({ name: entry.header.name, content: Buffer.concat(content) });
    }
  } catch {
    return { files, isCut: true };
  }
  return { files, isCut: false };
}

/** Where an archive says what it is. */
const magicAt = 257;

function isRegular({ type }: Header): boolean {
  return type === 'file' || type === 'contiguous-file';
}
