import { isUtf8 } from 'node:buffer';
import { closeSync, openSync, readSync } from 'node:fs';
import { longestItem } from '../longestItem.ts';
import type { SourceItem } from '../sources.ts';

/**
 * Finds the texts of items of a long List in its file, by where the items begin: a place in one of fifty megabytes needs
 * neither the whole text nor the lines of the others. Undefined: the item does not begin on a line of its own, or the
 * file is another one by now.
 */
export function itemFinder(file: string, starts: readonly number[]): (item: number) => SourceItem | undefined {
  let lines: Float64Array | undefined;
  return (item) => {
    const start = starts[item];
    if (start === undefined) return undefined;
    try {
      const descriptor = openSync(file, 'r');
      try {
        lines ??= linesBefore(descriptor, starts);
        return readItem(descriptor, start, starts[item + 1], lines[item] as number);
      } finally {
        closeSync(descriptor);
      }
    } catch {
      return undefined;
    }
  };
}

/** How many lines end before each of these places. */
function linesBefore(descriptor: number, places: readonly number[]): Float64Array {
  const counts = new Float64Array(places.length);
  const chunk = new Uint8Array(1 << 20);
  const words = new Int32Array(chunk.buffer);
  let lines = 0;
  let next = 0;
  for (let from = 0; next < places.length; ) {
    const length = readSync(descriptor, chunk, 0, chunk.length, from);
    if (length === 0) break;
    let at = 0;
    while (next < places.length && (places[next] as number) <= from + length) {
      const end = (places[next] as number) - from;
      lines += linesIn(chunk, words, at, end);
      at = end;
      counts[next] = lines;
      next += 1;
    }
    lines += linesIn(chunk, words, at, length);
    from += length;
  }
  return counts;
}

/** How many lines end in a part of a chunk: four bytes at a time, as `words` shows them, each counted in a byte of its own. */
function linesIn(chunk: Uint8Array, words: Int32Array, from: number, to: number): number {
  let lines = 0;
  let at = from;
  for (; at < to && at % 4 !== 0; at += 1) if (chunk[at] === lineBreak) lines += 1;
  while (at + 4 <= to) {
    const end = Math.min(to - 3, at + 4 * mostInByte);
    let counts = 0;
    for (; at < end; at += 4) {
      // Zero in place of a line break; then the highest bit of a byte tells that it is zero.
      const word = (words[at >> 2] as number) ^ lineBreaks;
      counts += ~(((word & lowerBits) + lowerBits) | word | lowerBits) >>> 7;
    }
    lines += (counts & 0xff) + ((counts >>> 8) & 0xff) + ((counts >>> 16) & 0xff) + (counts >>> 24);
  }
  for (; at < to; at += 1) if (chunk[at] === lineBreak) lines += 1;
  return lines;
}

const mostInByte = 255;
const lineBreaks = 0x0a0a0a0a;
const lowerBits = 0x7f7f7f7f;

const lineBreak = 0x0a;

/** `end`: where the next item begins; undefined: it is the last. */
function readItem(descriptor: number, start: number, end: number | undefined, lines: number): SourceItem | undefined {
  const bytes = Buffer.alloc((end ?? start + longestItem) - start + longestEnd);
  const read = bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, start));
  const brace = read.indexOf(openingBrace);
  const own = brace === -1 ? -1 : read.lastIndexOf(lineBreak, brace) + 1;
  // The line that it ends in, as far as excerpts show it.
  const stop = end === undefined ? read.length : read.indexOf(lineBreak, end - start);
  if (own <= 0 || stop === -1) return undefined;
  const text = read.subarray(own, stop);
  if (!isUtf8(text)) return undefined;
  let before = lines;
  for (let at = read.indexOf(lineBreak); at !== -1 && at < own; at = read.indexOf(lineBreak, at + 1)) before += 1;
  return { text: text.toString('utf8'), linesBefore: before };
}

const openingBrace = 0x7b;
/** What stands behind an item in its last line. */
const longestEnd = 1 << 12;
