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
      yield readText(out, 0, length);
      length = 0;
    }
    if (end - start > out.length) yield readText(block, start, end);
    else {
      out.set(block.subarray(start, end), length);
      length += end - start;
    }
  }
  if (length > 0) yield readText(out, 0, length);
}

/** Node's Buffer writes and reads short texts in half the time; browsers have none. */
const hasBuffer = typeof Buffer !== 'undefined';

function newBlock(size: number): Uint8Array {
  return hasBuffer ? Buffer.allocUnsafeSlow(size) : new Uint8Array(size);
}

function writeText(block: Uint8Array, text: string, at: number): number {
  return hasBuffer ? (block as Buffer).write(text, at) : new TextEncoder().encodeInto(text, block.subarray(at)).written;
}

function readText(block: Uint8Array, start: number, end: number): string {
  if (hasBuffer) return (block as Buffer).toString('utf8', start, end);
  return new TextDecoder().decode(block.subarray(start, end));
}
