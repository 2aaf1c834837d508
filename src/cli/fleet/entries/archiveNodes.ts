import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { extract } from 'tar-stream';
import type { DumpFile } from '../../../dump/dumpFile.ts';
import { factKindOf } from '../../../dump/factFiles.ts';
import { decodeFile } from '../../../load/files/decodeFile.ts';
import { isDumpName } from '../../dumps/paths/isDumpName.ts';

/** The files of one node in an archive; `problem`: it cannot be read from here on. */
export type PackedNode =
  | { readonly kind: 'node'; readonly node: string; readonly texts: readonly DumpFile[] }
  | { readonly kind: 'problem'; readonly message: string };

/** Whether an archive from `collect` has more than one node; it is read as far as the second. */
export async function holdsSeveralNodes(path: string): Promise<boolean> {
  const names = new Set<string>();
  try {
    for await (const entry of entriesOf(path)) {
      const node = placeOf(entry.name)?.node;
      if (node !== undefined) names.add(node);
      if (names.size > 1) return true;
    }
  } catch {
    // The code that reads it reports why it cannot be read.
  }
  return false;
}

/** One node after another, in the order of the archive: only one is in memory. */
export async function* archiveNodes(path: string): AsyncGenerator<PackedNode> {
  let node: string | undefined;
  let texts: DumpFile[] = [];
  try {
    for await (const { name, read } of entriesOf(path)) {
      const place = placeOf(name);
      if (place === undefined) continue;
      if (place.node !== node && node !== undefined) {
        yield { kind: 'node', node, texts };
        texts = [];
      }
      node = place.node;
      if (!place.isRead) continue;
      const kind = factKindOf(name);
      texts.push({ name: `${path}:${name}`, text: decodeFile(await read()).text, ...(kind && { kind }) });
    }
  } catch {
    // The last node may lack files.
    const whose = node === undefined ? '' : `, in what it has of ${node}`;
    yield { kind: 'problem', message: `cannot read ${path}: the archive is cut or damaged${whose}` };
    return;
  }
  if (node !== undefined) yield { kind: 'node', node, texts };
}

interface Place {
  readonly node: string;
  /** It is a dump, or a fact that means something by itself. */
  readonly isRead: boolean;
}

/** `[FOLDER/]NODE/dumps/FILE` or `NODE/facts/FILE`. */
function placeOf(path: string): Place | undefined {
  const [, node, kind, file] = /(?:^|\/)([^/]+)\/(dumps|facts)\/([^/]+)$/.exec(path) ?? [];
  if (node === undefined || file === undefined) return undefined;
  return { node, isRead: kind === 'dumps' ? isDumpName(file) : factKindOf(path) !== undefined };
}

interface Entry {
  readonly name: string;
  readonly read: () => Promise<Buffer>;
}

async function* entriesOf(path: string): AsyncGenerator<Entry> {
  const file = createReadStream(path);
  const unpacked = /\.(?:gz|tgz)$/.test(path) ? file.pipe(createGunzip()) : file;
  const entries = extract();
  file.on('error', (error) => entries.destroy(error));
  unpacked.on('error', (error: Error) => entries.destroy(error));
  unpacked.pipe(entries);
  for await (const entry of entries) {
    if (entry.header.type !== 'file' && entry.header.type !== 'contiguous-file') {
      entry.resume();
      continue;
    }
    const pieces: Buffer[] = [];
    let isTaken = false;
    yield {
      name: entry.header.name,
      read: async () => {
        isTaken = true;
        for await (const piece of entry) pieces.push(piece as Buffer);
        return Buffer.concat(pieces);
      },
    };
    if (!isTaken) entry.resume();
  }
}
