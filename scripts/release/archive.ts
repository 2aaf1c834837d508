import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { pack } from 'tar-stream';

/** A file of an archive. */
export interface ArchiveFile {
  /** `man/man1/k8snet.1.gz`: with forward slashes. */
  readonly path: string;
  readonly content: Buffer;
  readonly isProgram: boolean;
}

/** A `.tar.gz`, of the same bytes for the same files: owners, times and order are no one's. */
export async function tarArchive(files: readonly ArchiveFile[]): Promise<Buffer> {
  const tar = pack();
  const pieces: Buffer[] = [];
  tar.on('data', (piece) => pieces.push(piece as Buffer));
  const ended = new Promise<void>((resolve, reject) => tar.on('end', resolve).on('error', reject));
  for (const { path, content, isProgram } of inOrder(files)) {
    tar.entry({ name: path, mode: isProgram ? 0o755 : 0o644, mtime: earliest }, content);
  }
  tar.finalize();
  await ended;
  const packed = gzipSync(Buffer.concat(pieces), { level: 9 });
  // gzip names the system that packed.
  packed[9] = 255;
  return packed;
}

/** A `.zip`, for Windows, of the same bytes for the same files. */
export function zipArchive(files: readonly ArchiveFile[]): Buffer {
  // A zip tells local time: the same clock in every zone.
  const mtime = new Date(1980, 0, 2, 12);
  const entries = inOrder(files).map(({ path, content, isProgram }) => {
    const attributes = { os: 3, attrs: (isProgram ? 0o100755 : 0o100644) << 16 };
    return [path, [new Uint8Array(content), { level: 9, mtime, ...attributes }]] as const;
  });
  return Buffer.from(zipSync(Object.fromEntries(entries) as Parameters<typeof zipSync>[0]));
}

function inOrder(files: readonly ArchiveFile[]): readonly ArchiveFile[] {
  return [...files].sort((a, b) => (a.path < b.path ? -1 : Number(a.path > b.path)));
}

/** No file is from then. */
const earliest = new Date(Date.UTC(1980, 0, 2, 12));
