import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { firstFew } from '../../common/text/firstFew.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { DumpFile } from '../../dump/dumpFile.ts';
import { factKindOf } from '../../dump/factFiles.ts';
import { decodeFile } from '../../load/files/decodeFile.ts';
import { longestInput } from '../../load/files/longestInput.ts';
import { readBytes, standardInput } from '../../load/files/readBytes.ts';
import type { PackedFile, TarFiles } from '../../load/files/tarFiles.ts';
import { unpackGzip } from '../../load/files/unpackGzip.ts';
import { isDumpName } from './paths/isDumpName.ts';
import { isSosDump } from './paths/isSosDump.ts';

/**
 * The dumps at a path: one from a file or from standard input (`-`), also compressed by gzip or in UTF-16, as
 * PowerShell writes it; those in an archive that `collect` or sos packed (`.tar.gz`). `known`: its bytes, if they were
 * read already. Undefined: it cannot be read, which is reported.
 */
export async function readDumpFiles(
  word: string,
  report: Report,
  known?: Buffer,
): Promise<readonly DumpFile[] | undefined> {
  const [path, node] = partOf(word);
  const name = path === '-' ? 'standard input' : path;
  const refuse = (reason: string, hint = hintOf(path)) => {
    const message = `cannot read ${name}: ${reason}`;
    report({ code: 'cannot-read', severity: 'error', message, at: [], ...(hint !== undefined && { hint }) });
    return undefined;
  };
  const read = known ? { kind: 'bytes' as const, bytes: known } : readBytes(path === '-' ? standardInput : path);
  if (read.kind === 'failed') return refuse(read.reason);
  if (read.kind === 'tooBig') return refuse(`it has more than ${longestInput} bytes`);
  let { bytes } = read;
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const unpacked = unpackGzip(bytes);
    if (unpacked === undefined) return refuse('its gzip data is damaged, or too long when unpacked');
    bytes = unpacked;
  }
  const packer = otherPackers.find(([magic]) => bytes.subarray(0, magic.length).equals(magic))?.[1];
  if (packer !== undefined)
    return refuse(`it is compressed by ${packer}`, 'unpack it, and give the dump or the folder that is in it');
  const archive = await tarFilesOf(bytes);
  if (archive === undefined) return [{ name, text: textOf(bytes) }];
  if (archive.isCut) return refuse('the archive is cut or damaged', 'pack it again');
  const packed = archive.files;
  const nodes = nodesIn(packed);
  if (node === undefined && nodes.length > 1)
    return refuse(
      `it holds ${nodes.length} nodes`,
      `name one: ${firstFew(
        nodes.map((one) => `${path}:${one}`),
        3,
      )}`,
    );
  const all = packed.filter(
    (file) => node === undefined || file.name.startsWith(`${node}/`) || file.name.includes(`/${node}/`),
  );
  const isWanted = all.some(({ name: inside }) => /(?:^|\/)sos_commands\//.test(inside)) ? isSosDump : isDumpPath;
  const files = all.filter(({ name: inside }) => isWanted(inside));
  if (files.length === 0)
    return refuse(node === undefined ? 'the archive holds no dumps' : `the archive holds no dumps of ${node}`);
  return files.map(({ name: inside, content }) => {
    const kind = factKindOf(inside);
    return { name: `${path}:${inside}`, text: textOf(content), ...(kind !== undefined && { kind }) };
  });
}

/**
 * The nodes of an archive that a word names as a whole, if it holds several, or the objects of a cluster none of whose
 * nodes could be read; undefined: the word stands for itself.
 */
export async function nodesOfArchive(word: string): Promise<readonly string[] | undefined> {
  const contents = await archiveContents(word);
  if (contents === undefined) return undefined;
  const { nodes, hasObjects } = contents;
  return nodes.length > 1 || (nodes.length === 0 && hasObjects) ? nodes : undefined;
}

/** What an archive of `collect` holds; undefined: the word names none, or it cannot be read. */
export async function archiveContents(
  word: string,
): Promise<{ readonly nodes: readonly string[]; readonly hasObjects: boolean } | undefined> {
  if (!archiveName.test(word)) return undefined;
  const read = readBytes(word);
  if (read.kind !== 'bytes') return undefined;
  const { bytes } = read;
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? unpackGzip(bytes) : bytes;
  const files = (plain && (await tarFilesOf(plain)))?.files ?? [];
  return { nodes: nodesIn(files), hasObjects: files.some(({ name }) => /(?:^|\/)cluster\/snapshot\.json$/.test(name)) };
}

/** Whether a word names an archive, or one node in it; and which. */
export function nodeInArchive(word: string): { readonly path: string; readonly node: string | undefined } | undefined {
  const [path, node] = partOf(word);
  return archiveName.test(path) ? { path, node } : undefined;
}

const archiveName = /\.(?:tar\.gz|tgz|tar)$/;

/** The package that reads archives is loaded only for them. */
async function tarFilesOf(bytes: Buffer): Promise<TarFiles | undefined> {
  if (bytes.toString('latin1', 257, 262) !== 'ustar') return undefined;
  return (await import('../../load/files/tarFiles.ts')).tarFiles(bytes);
}

/** `cluster.tar.gz:n1` is one node of an archive of several. */
function partOf(word: string): readonly [path: string, node?: string] {
  const [, path, node] = /^(.*\.(?:tar\.gz|tgz|tar)):([^:/]+)$/.exec(word) ?? [];
  return path === undefined || node === undefined || existsSync(word) ? [word] : [path, node];
}

/** The folders that `collect` made for nodes, where there are several. */
function nodesIn(files: readonly PackedFile[]): readonly string[] {
  return [...new Set(files.flatMap(({ name }) => /(?:^|\/)([^/]+)\/dumps\/[^/]+$/.exec(name)?.[1] ?? []))].sort();
}

/** Files that begin like this, which Node cannot unpack. */
const otherPackers: readonly (readonly [magic: Buffer, name: string])[] = [
  [Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]), 'xz'],
  [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), 'zstd'],
  [Buffer.from('BZh'), 'bzip2'],
  [Buffer.from('PK\x03\x04'), 'zip'],
];

/** An address, or a value of `--to`. */
const isEnd =
  /^(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|\[[0-9a-f:.]+\](?::\d+)?|(?:svc|service|pod|deploy|node|nodeport)\/[\w./:-]+)$/;
const endHint = 'arguments are dumps of a node; name sender and receiver with --from and --to';
/** `shop/web`, with its port. */
const mayBeService = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?\/[a-z0-9]([a-z0-9-]*[a-z0-9])?(?::[a-z0-9-]+)?$/;

function hintOf(path: string): string | undefined {
  if (isEnd.test(path)) return endHint;
  return mayBeService.test(path) ? `if that is a Service: k8snet check-service ${path}` : undefined;
}

function textOf(bytes: Buffer): string {
  return decodeFile(bytes).text;
}

/** A comparison reads `dumps/` and some facts from the output of `collect`. */
function isDumpPath(path: string): boolean {
  if (factKindOf(path) !== undefined) return true;
  return !/(?:^|\/)(?:facts|cluster)\//.test(path) && isDumpName(basename(path));
}
