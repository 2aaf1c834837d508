/** A regular file of an archive. */
export interface PackedFile {
  readonly name: string;
  readonly content: Buffer;
}

/** The regular files of a tar archive; undefined: the bytes are none. */
export function tarFiles(archive: Buffer): readonly PackedFile[] | undefined {
  if (archive.toString('latin1', magicAt, magicAt + 5) !== 'ustar') return undefined;
  const files: PackedFile[] = [];
  for (let at = 0; at + block <= archive.length && archive[at] !== 0; ) {
    const size = Number.parseInt(field(archive, at + 124, 12), 8);
    if (!(size >= 0)) break;
    const type = field(archive, at + 156, 1);
    const prefix = field(archive, at + 345, 155);
    const name = field(archive, at, 100);
    const from = at + block;
    if (type === '0' || type === '') {
      files.push({ name: prefix === '' ? name : `${prefix}/${name}`, content: archive.subarray(from, from + size) });
    }
    at = from + Math.ceil(size / block) * block;
  }
  return files;
}

/** Where an archive says what it is. */
const magicAt = 257;
const block = 512;

/** Text to its end or to a null byte. */
function field(archive: Buffer, at: number, length: number): string {
  const text = archive.toString('utf8', at, at + length);
  const end = text.indexOf('\0');
  return (end === -1 ? text : text.slice(0, end)).trim();
}
