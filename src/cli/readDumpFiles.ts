import { basename } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { DumpFile } from '../dump/dumpFile.ts';
import { decodeFile } from '../load/decodeFile.ts';
import { longestInput } from '../load/longestInput.ts';
import { readBytes, standardInput } from '../load/readBytes.ts';
import { isDumpName } from './isDumpName.ts';
import { isSosDump } from './isSosDump.ts';

/**
 * The dumps that a path holds: one of a file or of standard input (`-`), also compressed by gzip or in UTF-16, as
 * PowerShell writes it; those of an archive that `collect` or sos packed (`.tar.gz`). `known`: its bytes, where somebody has read
 * them. Undefined: it cannot be read, which is reported.
 */
export function readDumpFiles(path: string, report: Report, known?: Buffer): readonly DumpFile[] | undefined {
  const name = path === '-' ? 'standard input' : path;
  const refuse = (reason: string, hint = isEnd.test(path) ? endHint : undefined) => {
    const message = `cannot read ${name}: ${reason}`;
    report({ code: 'cannot-read', severity: 'error', message, at: [], ...(hint !== undefined && { hint }) });
    return undefined;
  };
  const read = known ? { kind: 'bytes' as const, bytes: known } : readBytes(path === '-' ? standardInput : path);
  if (read.kind === 'failed') return refuse(read.reason);
  if (read.kind === 'tooBig') return refuse(`it has more than ${longestInput} bytes`);
  let { bytes } = read;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    try {
      bytes = gunzipSync(bytes, { maxOutputLength: longestInput });
    } catch {
      return refuse('its gzip data is damaged, or too long when unpacked');
    }
  }
  const packer = otherPackers.find(([magic]) => bytes.subarray(0, magic.length).equals(magic))?.[1];
  if (packer !== undefined)
    return refuse(`it is compressed by ${packer}`, 'unpack it, and give the dump or the folder that is in it');
  if (bytes.toString('latin1', magicAt, magicAt + 5) !== 'ustar') return [{ name, text: textOf(bytes) }];
  const all = packedFiles(bytes);
  const isWanted = all.some(({ name: packed }) => /(?:^|\/)sos_commands\//.test(packed)) ? isSosDump : isDumpPath;
  const files = all.filter(({ name: packed }) => isWanted(packed));
  if (files.length === 0) return refuse('the archive holds no dumps');
  return files.map(({ name: packed, content }) => ({ name: `${name}:${packed}`, text: textOf(content) }));
}

/** What begins like this, and Node cannot unpack. */
const otherPackers: readonly (readonly [magic: Buffer, name: string])[] = [
  [Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), 'xz'],
  [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), 'zstd'],
  [Buffer.from('BZh'), 'bzip2'],
  [Buffer.from('PK\x03\x04'), 'zip'],
];

/** An address, or what `--to` takes. */
const isEnd =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|\[[0-9a-f:.]+\](?::\d+)?|(?:svc|service|pod|deploy|node|nodeport)\/[\w./:-]+)$/;
const endHint = 'arguments are dumps of a node; name sender and receiver with --from and --to';

function textOf(bytes: Buffer): string {
  return decodeFile(bytes).text;
}

/** Of what `collect` packs, `dumps/` is what a comparison reads, and some facts. */
function isDumpPath(path: string): boolean {
  if (/(?:^|\/)facts\/(?:sysctl|modules|policy-rules|conntrack\.v[46])\.txt$/.test(path)) return true;
  return !/(?:^|\/)(?:facts|cluster)\//.test(path) && isDumpName(basename(path));
}

/** Where a tar archive says what it is. */
const magicAt = 257;
const block = 512;

interface PackedFile {
  readonly name: string;
  readonly content: Buffer;
}

/** The regular files of a tar archive. */
function packedFiles(archive: Buffer): readonly PackedFile[] {
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

/** Text to its end or to a null byte. */
function field(archive: Buffer, at: number, length: number): string {
  const text = archive.toString('utf8', at, at + length);
  const end = text.indexOf('\0');
  return (end === -1 ? text : text.slice(0, end)).trim();
}
