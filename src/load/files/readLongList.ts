import { isAscii, isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { ItemsAhead } from '../json/itemsAhead.ts';
import { jsonValues } from '../json/jsonIndex.ts';
import { longestItem } from '../longestItem.ts';

/**
 * The value of a large text that is one JSON object with `items`, as JSON.parse gives it, but read item by item: a file
 * given by name is never in memory as a whole. Undefined: the text is short, or must be read and judged as a whole.
 * Items are cut where the text between an item and the next one's first field occurs again (in a text without lines,
 * with the name of that field). A piece that is a JSON object is an item, wherever it was cut: no object begins with
 * another one. A piece that is not one yet extends to the next place.
 */
export function readLongList(from: string | Buffer, ahead?: ItemsAhead): LongList | undefined {
  let descriptor: number | undefined;
  try {
    if (typeof from !== 'string') {
      const again = (start: number, length: number) => JSON.parse(from.toString('utf8', start, start + length));
      return from.length >= shortest ? readList(windowOn(from), again, ahead) : undefined;
    }
    descriptor = openSync(from, 'r');
    const stat = fstatSync(descriptor);
    return stat.isFile() && stat.size >= shortest
      ? readList(fileWindow(descriptor), (start, length) => readAgain(from, start, length), ahead)
      : undefined;
  } catch {
    // Code that reads it as a whole reports what is wrong.
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** What was read, and where in the file what stands in front of each item ends. */
export interface LongList {
  readonly value: unknown;
  readonly starts: readonly number[];
}

/** Part of a file that has been read. */
function readAgain(file: string, start: number, length: number): unknown {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(length);
    readSync(descriptor, bytes, 0, length, start);
    return JSON.parse(bytes.toString('utf8'));
  } finally {
    closeSync(descriptor);
  }
}

/** Below, nothing is gained. */
const shortest = 1 << 22;
const chunkSize = 1 << 22;

/** Other fields may stand before the items, but not many. */
const longestHead = 1 << 16;

/** Ends of items in items that are tried: one that begins like its parent is rare. */
const mostTries = 8;

/** Throws where the text is not JSON. */
function readList(
  input: TextWindow,
  again: (start: number, length: number) => unknown,
  ahead: ItemsAhead | undefined,
): LongList | undefined {
  input.read();
  // By bytes: the part that is looked at may end within a character.
  const [, { length: headLength } = '', opener] =
    beginning.exec(input.bytes().toString('latin1', 0, longestHead)) ?? [];
  const head = textOf(input.bytes().subarray(0, headLength));
  if (head === undefined || opener === undefined) return undefined;
  input.drop(headLength);
  const items: unknown[] = [];
  const separator = Buffer.from(`},${separatingPart(opener)}`, 'latin1');
  let start = headLength;
  const starts = [start];
  const added = (from: number, length: number) => ahead?.added(items, () => again(from, length));
  // No function here takes in the window: the items would keep it.
  for (;;) {
    const length = takeItem(input, separator, items, ahead);
    if (length === 0) break;
    added(start, length);
    // With the comma behind it.
    input.drop(length + 1);
    start += length + 1;
    starts.push(start);
  }
  const rest = textOf(input.bytes());
  if (rest === undefined || !input.isAtEnd()) return undefined;
  const last = jsonValues(rest)[0];
  if (last === undefined) return undefined;
  const lastText = rest.slice(0, last.end);
  items.push(JSON.parse(lastText));
  added(start, Buffer.byteLength(lastText));
  ahead?.end(items);
  const value = JSON.parse(`${head}"${mark}"${rest.slice(last.end)}`) as { items?: unknown };
  if (!Array.isArray(value.items) || value.items.length !== 1 || value.items[0] !== mark) return undefined;
  value.items = items;
  return { value, starts };
}

/** The first `"items": [`, and what the first item begins with. */
const beginning = /^(\s*\{[\s\S]*?"items"\s*:\s*\[)(\s*\{\s*"[^"\\]*")/;

/** Where items are indented, the indentation tells them: kubectl sorts fields, and begins objects of each kind otherwise. */
function separatingPart(opener: string): string {
  const indented = /^\s*\{\s*\n\s*"/.exec(opener)?.[0];
  return indented ?? opener;
}

/** Stands for the items, to see that they are those of the object itself. */
const mark = 'the items of the list';

/** Reads the item at the start of the window and gives its length; 0 where no further item follows it. */
function takeItem(input: TextWindow, separator: Buffer, items: unknown[], ahead: ItemsAhead | undefined): number {
  let from = 0;
  for (let tries = 0; tries < mostTries; ) {
    const at = input.bytes().indexOf(separator, from);
    if (at === -1) {
      // Behind what was searched, all but the start of a separator.
      from = Math.max(0, input.bytes().length - separator.length + 1);
      if (input.bytes().length > longestItem || !input.read()) return 0;
      continue;
    }
    const bytes = input.bytes().subarray(0, at + 1);
    let parsed = ahead?.read(bytes, textOf);
    if (parsed === undefined) {
      const text = textOf(bytes);
      if (text === undefined) return 0;
      parsed = parse(text);
    }
    if (parsed !== undefined) {
      items.push(parsed);
      return at + 1;
    }
    tries += 1;
    from = at + 1;
  }
  return 0;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined where the bytes are not UTF-8. */
function textOf(bytes: Buffer): string | undefined {
  if (isAscii(bytes)) return bytes.toString('latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

/** The part of a text that is at hand. */
interface TextWindow {
  readonly bytes: () => Buffer;
  /** Leaves out bytes at the start. */
  readonly drop: (count: number) => void;
  /** Adds a chunk at the end; false where the text ends. */
  readonly read: () => boolean;
  readonly isAtEnd: () => boolean;
}

function windowOn(bytes: Buffer): TextWindow {
  let first = 0;
  return {
    bytes: () => bytes.subarray(first),
    drop: (count) => {
      first += count;
    },
    read: () => false,
    // What is longer is no last item.
    isAtEnd: () => bytes.length - first <= longestItem,
  };
}

function fileWindow(descriptor: number): TextWindow {
  let buffer = Buffer.allocUnsafeSlow(2 * chunkSize);
  let first = 0;
  let end = 0;
  let isAtEnd = false;
  return {
    bytes: () => buffer.subarray(first, end),
    drop: (count) => {
      first += count;
    },
    read: () => {
      if (end + chunkSize > buffer.length) {
        const larger = end - first + chunkSize > buffer.length ? Buffer.allocUnsafeSlow(buffer.length * 2) : buffer;
        buffer.copy(larger, 0, first, end);
        buffer = larger;
        end -= first;
        first = 0;
      }
      const count = readSync(descriptor, buffer, end, chunkSize, null);
      end += count;
      isAtEnd = count === 0;
      return count > 0;
    },
    isAtEnd: () => isAtEnd,
  };
}
