import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';

/** A text that goes into an archive. */
export interface FileToPack {
  readonly name: string;
  readonly text: string;
}

/** A `.tar.gz` with these files, in this order, as readable by their owner alone. */
export async function packFiles(files: readonly FileToPack[], time: Date): Promise<Buffer> {
  const archive = pack();
  for (const { name, text } of files) archive.entry({ name, mode: 0o600, mtime: time }, text);
  archive.finalize();
  const pieces: Buffer[] = [];
  for await (const piece of archive) pieces.push(piece as Buffer);
  return gzipSync(Buffer.concat(pieces));
}
