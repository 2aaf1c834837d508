import { decodeText, newBlock, writeText } from './textBytes.ts';

/** Where lines lie: part of one block of memory. */
export interface LineRange {
  readonly block: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/**
 * Lines as bytes outside the garbage collector's heap. A large cluster has half a million of them; kept as strings they
 * are copied again and again while memory is tidied, which costs more than making them.
 */
export interface LineStore {
  /** Adds a line and its newline. */
  readonly push: (line: string) => void;
  /** The lines since the last call, as ranges in order; mostly one. */
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
  return {
    push: (line) => {
      const most = line.length * bytesPerUnit + 1;
      if (end + most > block.length) {
        if (end > start) full.push({ block, start, end });
        block = newBlock(Math.max(blockSize, most));
        start = 0;
        end = 0;
      }
      end += writeText(block, line, end);
      block[end++] = newline;
      hasLines = true;
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
