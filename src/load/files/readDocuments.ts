import type { Report } from '../../diagnostics/diagnostic.ts';
import type { ItemsAhead } from '../json/itemsAhead.ts';
import { readText, type SourceDocument, type TextOptions } from '../readText.ts';
import type { SourceFormat, SourceItem, Sources } from '../sources.ts';
import { withoutTalk } from '../withoutTalk.ts';
import { decodeFile } from './decodeFile.ts';
import { findFiles } from './findFiles.ts';
import { itemFinder } from './itemFinder.ts';
import { longestInput } from './longestInput.ts';
import { readBytes } from './readBytes.ts';
import { readLongList } from './readLongList.ts';

export interface LoadOptions extends TextOptions {
  /** Directories are read with those below them. */
  readonly recursive: boolean;
  /** Gives the bytes of `-`; without it the process's own standard input is read. */
  readonly stdin?: () => Buffer | string | Promise<Buffer | string>;
  /** Takes items of long Lists in JSON while they are read. */
  readonly ahead?: (() => ItemsAhead) | undefined;
}

export interface Documents {
  /** In the order of the paths, and of each file. */
  readonly documents: readonly SourceDocument[];
  readonly sources: Sources;
}

/** The name that diagnostics give to standard input. */
export const stdinName = '<stdin>';

/**
 * Reads files, directories and standard input into documents. Everything wrong is reported; the documents that are
 * sound come back all the same. JSON is read by the engine's own parser, usual YAML by `usualYaml`, the rest by the full
 * reader, which is loaded for it.
 */
export async function readDocuments(
  paths: readonly string[],
  options: LoadOptions,
  report: Report,
): Promise<Documents> {
  const documents: SourceDocument[] = [];
  const kept = new Map<string, () => string>();
  const formats = new Map<string, SourceFormat>();
  const lists = new Map<string, (item: number) => SourceItem | undefined>();
  for (const path of findFiles(paths, options.recursive, report)) {
    const file = path === '-' ? stdinName : path;
    if (path === '-' && kept.has(stdinName)) {
      fail(report, 'cannot-read', 'standard input can be read only once');
      continue;
    }
    const bytes = path === '-' ? await readStdin(options, report) : undefined;
    if (path === '-' && bytes === undefined) continue;
    const long = readLongList(bytes ?? file, options.ahead?.());
    if (long !== undefined) {
      if (bytes === undefined) lists.set(file, itemFinder(file, long.starts));
      else kept.set(file, () => decodeFile(bytes).text);
      documents.push({ file, document: 0, value: long.value });
      formats.set(file, 'json');
      continue;
    }
    const packed = archiveName.test(path) ? await (await import('./packedObjects.ts')).packedObjects(path) : undefined;
    if (packed === 'damaged') {
      fail(report, 'cannot-read', `${file}: the archive is cut or damaged`);
      continue;
    }
    if (packed !== undefined) {
      for (const { name, text } of packed) {
        kept.set(name, () => text);
        formats.set(name, await readText(name, text, documents, report, options));
      }
      if (packed.length === 0)
        fail(report, 'cannot-read', `${file}: the archive has no objects in a folder named cluster`);
      continue;
    }
    const text =
      bytes === undefined ? await readFile(file, kept, report) : await decode(file, bytes, kept, true, report);
    if (text === undefined) continue;
    formats.set(file, await readText(file, text, documents, report, options));
  }
  const sources: Sources = {
    textOf: (file) => {
      const text = kept.get(file)?.() ?? textOnDisk(file);
      // Places are looked for in what was read.
      return text === undefined ? undefined : withoutTalk(text);
    },
    formatOf: (file) => formats.get(file) ?? 'none',
    itemOf: (file, item) => lists.get(file)?.(item),
  };
  return { documents, sources };
}

/** What `collect` packs. */
const archiveName = /\.(?:tar\.gz|tgz|tar)$/;

async function readFile(file: string, kept: Map<string, () => string>, report: Report): Promise<string | undefined> {
  const read = readBytes(file);
  if (read.kind === 'failed') return fail(report, 'cannot-read', `${file}: ${read.reason}`);
  if (read.kind === 'tooBig') return tooBig(report, file);
  return decode(file, read.bytes, kept, !read.isRegular, report);
}

async function readStdin(options: LoadOptions, report: Report): Promise<Buffer | undefined> {
  try {
    const bytes = await (options.stdin ?? processStdin)();
    if (bytes.length > longestInput) return tooBig(report, stdinName);
    return typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  } catch (error) {
    return fail(report, 'cannot-read', `standard input: ${error instanceof Error ? error.message : 'cannot be read'}`);
  }
}

async function processStdin(): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of process.stdin) {
    const bytes = Buffer.from(piece);
    pieces.push(bytes);
    size += bytes.length;
    if (size > longestInput) break;
  }
  return Buffer.concat(pieces);
}

/** The text of a file that is one, also compressed; kept if it cannot be read again as it is. */
async function decode(
  file: string,
  bytes: Buffer,
  kept: Map<string, () => string>,
  isGoneThen: boolean,
  report: Report,
): Promise<string | undefined> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  // What unpacks is loaded only where there is something to unpack.
  const unpacked = isPacked ? (await import('./unpackGzip.ts')).unpackGzip(bytes) : bytes;
  if (unpacked === undefined)
    return fail(report, 'cannot-read', `${file}: its gzip data is damaged, or too long when unpacked`);
  const { text, encoding, badAt } = decodeFile(unpacked);
  if (isGoneThen || isPacked) kept.set(file, () => text);
  if (badAt === undefined) return text;
  report({
    code: 'bad-encoding',
    severity: 'error',
    message: `invalid ${encoding}: this is not text, or text in another encoding`,
    at: [{ file, document: 0, path: [], offset: badAt }],
    hint: 'save it as UTF-8',
  });
  return undefined;
}

function textOnDisk(file: string): string | undefined {
  const read = readBytes(file);
  return read.kind === 'bytes' ? decodeFile(read.bytes).text : undefined;
}

function tooBig(report: Report, file: string): undefined {
  return fail(report, 'input-too-big', `${file} has more than ${longestInput} bytes, the most that can be read`);
}

function fail(report: Report, code: 'cannot-read' | 'input-too-big', message: string): undefined {
  report({ code, severity: 'error', message, at: [] });
  return undefined;
}
