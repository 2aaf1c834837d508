import { copyBytes, decodeText, newBlock, writeText } from './textBytes.ts';

/** Lines that stand together, told by numbers. They are kept as bytes, outside the garbage collector's heap. */
export interface LineRuns {
  /** Adds a line; gives the number of its run if it begins one: it is asked to, or the last block of memory is full. */
  readonly push: (line: string, isNew: boolean) => number | undefined;
  /** Where the first line of a run stands. */
  readonly blockOf: (run: number) => Uint8Array;
  readonly startOf: (run: number) => number;
  /** The lines of runs, in pieces. */
  readonly text: (runs: Iterable<number>) => Iterable<string>;
  /** Chain lines of runs that are rules of one chain each, whose names have this length. */
  readonly heads: (runs: Iterable<number>, nameLength: number) => Iterable<string>;
}

const blockSize = 1 << 20;

/** A character is at most three bytes of UTF-8 for each UTF-16 unit. */
const bytesPerUnit = 3;
const newline = 0x0a;

/** `-A ` stands before a chain's name. */
const nameStart = 3;

export function lineRuns(): LineRuns {
  const blocks: Uint8Array[] = [];
  let index = new Uint32Array(3 * 1024);
  let count = 0;
  let block = newBlock(0);
  let end = 0;
  const begin = () => {
    if (3 * (count + 1) > index.length) {
      const larger = new Uint32Array(index.length * 2);
      larger.set(index);
      index = larger;
    }
    index[3 * count] = blocks.length - 1;
    index[3 * count + 1] = end;
    count += 1;
  };
  const blockOf = (run: number) => blocks[index[3 * run] as number] as Uint8Array;
  const startOf = (run: number) => index[3 * run + 1] as number;
  const endOf = (run: number) => index[3 * run + 2] as number;
  const places = { blockOf, startOf, endOf };
  return {
    push: (line, isNew) => {
      const most = line.length * bytesPerUnit + 1;
      const isFull = end + most > block.length;
      if (isFull) {
        block = newBlock(Math.max(blockSize, most));
        blocks.push(block);
        end = 0;
      }
      const begins = isNew || isFull;
      if (begins) begin();
      end += writeText(block, line, end);
      block[end++] = newline;
      index[3 * count - 1] = end;
      return begins ? count - 1 : undefined;
    },
    blockOf,
    startOf,
    text: (runs) => textOf(places, runs),
    heads: (runs, nameLength) => headsOf(places, runs, nameLength),
  };
}

/** Where the bytes of a run stand. */
interface RunPlaces {
  readonly blockOf: (run: number) => Uint8Array;
  readonly startOf: (run: number) => number;
  readonly endOf: (run: number) => number;
}

function* textOf({ blockOf, startOf, endOf }: RunPlaces, runs: Iterable<number>): Iterable<string> {
  const out = newBlock(blockSize);
  let length = 0;
  for (const run of runs) {
    const [start, stop] = [startOf(run), endOf(run)];
    if (length + stop - start > out.length) {
      yield decodeText(out, 0, length);
      length = 0;
    }
    if (stop - start > out.length) yield decodeText(blockOf(run), start, stop);
    else {
      copyBytes(blockOf(run), start, stop, out, length);
      length += stop - start;
    }
  }
  if (length > 0) yield decodeText(out, 0, length);
}

function* headsOf(places: RunPlaces, runs: Iterable<number>, nameLength: number): Iterable<string> {
  const { blockOf, startOf } = places;
  const out = newBlock(blockSize);
  const pattern = newBlock(nameLength + chainEnd.length + 2);
  writeText(pattern, `:${'-'.repeat(nameLength)}${chainEnd}\n`, 0);
  let length = 0;
  let last = -1;
  for (const run of runs) {
    if (last !== -1 && areOfOneChain(places, last, run, nameLength)) continue;
    last = run;
    if (length + pattern.length > out.length) {
      yield decodeText(out, 0, length);
      length = 0;
    }
    // Byte by byte: so few are not worth a call.
    for (let at = 0; at < pattern.length; at += 1) out[length + at] = pattern[at] as number;
    const [block, start] = [blockOf(run), startOf(run) + nameStart];
    for (let at = 0; at < nameLength; at += 1) out[length + 1 + at] = block[start + at] as number;
    length += pattern.length;
  }
  if (length > 0) yield decodeText(out, 0, length);
}

function areOfOneChain({ blockOf, startOf }: RunPlaces, one: number, other: number, nameLength: number): boolean {
  const [a, b] = [blockOf(one), blockOf(other)];
  const [start, otherStart] = [startOf(one), startOf(other)];
  // They begin alike: the last characters tell most.
  for (let at = nameStart + nameLength - 1; at >= nameStart; at -= 1) {
    if (a[start + at] !== b[otherStart + at]) return false;
  }
  return true;
}

const chainEnd = ' - [0:0]';
