import { copyFewBytes, decodeText, newBlock, writeText } from '../../common/text/textBytes.ts';

/** The place of lines: part of one block of memory. */
export interface LineRange {
  readonly block: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/**
 * Lines as bytes outside the garbage collector's heap. A large cluster has half a million of them; strings would be
 * copied again and again by garbage collection, which costs more than making them.
 */
export interface LineStore {
  /** Adds a line and its newline. */
  readonly push: (line: string) => void;
  /** Adds a line of bytes between texts of ASCII. */
  readonly pushBytes: (bytes: Uint8Array, start: number, end: number, before: string, after: string) => void;
  /** The lines since the last call, as ranges in order; usually one. */
  readonly takeRanges: () => readonly LineRange[];
  readonly isEmpty: () => boolean;
}

const blockSize = 1 << 20;

/** A character is at most three bytes of UTF-8 for each UTF-16 unit. */
const bytesPerUnit = 3;

export function lineStore(): LineStore {
  let block = newBlock(blockSize);
  let start = 0;
  let end = 0;
  let full: LineRange[] = [];
  let hasLines = false;
  const makeRoom = (most: number) => {
    hasLines = true;
    if (end + most <= block.length) return;
    if (end > start) full.push({ block, start, end });
    block = newBlock(Math.max(blockSize, most));
    start = 0;
    end = 0;
  };
  return {
    push: (line) => {
      makeRoom(line.length * bytesPerUnit + 1);
      end += writeText(block, line, end);
      block[end++] = newline;
    },
    pushBytes: (bytes, from, to, before, after) => {
      makeRoom(before.length + to - from + after.length + 1);
      // Byte by byte: for so few bytes a call does not pay.
      for (let at = 0; at < before.length; at += 1) block[end++] = before.charCodeAt(at);
      copyFewBytes(bytes, from, to, block, end);
      end += to - from;
      for (let at = 0; at < after.length; at += 1) block[end++] = after.charCodeAt(at);
      block[end++] = newline;
    },
    takeRanges: () => {
      const taken = full;
      if (end > start) taken.push({ block, start, end });
      full = [];
      start = end;
      return taken;
    },
    isEmpty: () => !hasLines,
  };
}

const newline = 0x0a;

/** The text of ranges in pieces of about a megabyte. Ranges end with a line, so no character is cut. */
export function* textOf(ranges: Iterable<LineRange>): Generator<string> {
  const out = newBlock(blockSize);
  let length = 0;
  for (const { block, start, end } of ranges) {
    if (length + end - start > out.length) {
      yield decodeText(out, 0, length);
      length = 0;
    }
    if (end - start > out.length) yield decodeText(block, start, end);
    else {
      out.set(block.subarray(start, end), length);
      length += end - start;
    }
  }
  if (length > 0) yield decodeText(out, 0, length);
}
