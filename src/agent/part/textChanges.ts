import type { Buffer } from 'node:buffer';

/** Whole lines of one text that stand where the other has other ones; from a place in bytes up to another. */
export interface TextChange {
  readonly before: Span;
  readonly after: Span;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * The lines in which two long texts differ, in order: everything between changes is the same bytes. Equal bytes are
 * compared by the processor alone, so 40 MB with a few changes take some milliseconds. Undefined: too much is different.
 */
export function textChanges(before: Buffer, after: Buffer): readonly TextChange[] | undefined {
  const changes: TextChange[] = [];
  let old = 0;
  let own = 0;
  for (;;) {
    const same = commonLength(before, old, after, own);
    if (old + same === before.length && own + same === after.length) return changes;
    if (changes.length >= mostChanges) return undefined;
    const back = same - lineStart(before, old, old + same);
    old += same - back;
    own += same - back;
    const next = nextCommonLine(before, old, after, own);
    if (next === undefined) return undefined;
    changes.push({ before: { from: old, to: next.before }, after: { from: own, to: next.after } });
    old = next.before;
    own = next.after;
  }
}

const mostChanges = 4000;

/** How many bytes from two places on are the same. */
function commonLength(before: Buffer, from: number, after: Buffer, to: number): number {
  const most = Math.min(before.length - from, after.length - to);
  const isSame = (at: number, length: number) =>
    after.compare(before, from + at, from + at + length, to + at, to + at + length) === 0;
  let known = 0;
  let step = firstStep;
  while (known < most) {
    const length = Math.min(step, most - known);
    if (!isSame(known, length)) break;
    known += length;
    step = Math.min(step * 4, longestStep);
  }
  // The first difference is in the next `step` bytes, or nowhere.
  for (let length = Math.min(step, most - known); length > 0; length = length === 1 ? 0 : Math.ceil(length / 2)) {
    while (known + length <= most && isSame(known, length)) known += length;
  }
  return known;
}

const firstStep = 256;
const longestStep = 1 << 20;

/** Where the line begins that holds a place, in bytes behind `from`. */
function lineStart(text: Buffer, from: number, at: number): number {
  const end = at === 0 ? -1 : text.lastIndexOf(lineBreak, at - 1);
  return Math.max(0, end + 1 - from);
}

interface CommonLine {
  readonly before: number;
  readonly after: number;
}

/**
 * Where both texts go on with the same line: the nearest one that occurs only once in what follows on either side, so
 * that the ends of blocks, which all look alike, do not count.
 */
function nextCommonLine(before: Buffer, old: number, after: Buffer, own: number): CommonLine | undefined {
  for (const lines of windows) {
    const left = linesFrom(before, old, lines);
    const right = linesFrom(after, own, lines);
    const found = nearestCommon(left, right);
    if (found !== undefined) return found;
    if (left.isEnd && right.isEnd) return { before: before.length, after: after.length };
  }
  return undefined;
}

/** The longest for sets of nft, whose lines all shift where one element is added. */
const windows = [64, 512, 4096, 32_768] as const;

interface Lines {
  /** Where each line begins, and the end of the last. */
  readonly starts: readonly number[];
  readonly texts: readonly string[];
  readonly isEnd: boolean;
}

function linesFrom(text: Buffer, from: number, most: number): Lines {
  const starts = [from];
  const texts: string[] = [];
  let at = from;
  while (texts.length < most && at < text.length) {
    const end = text.indexOf(lineBreak, at);
    const next = end === -1 ? text.length : end + 1;
    texts.push(text.toString('latin1', at, next));
    starts.push(next);
    at = next;
  }
  return { starts, texts, isEnd: at >= text.length };
}

function nearestCommon(left: Lines, right: Lines): CommonLine | undefined {
  const places = onlyOnce(right.texts);
  const once = onlyOnce(left.texts);
  let best: { readonly left: number; readonly right: number } | undefined;
  for (const [at, line] of left.texts.entries()) {
    if (best !== undefined && at >= best.left + best.right) break;
    const place = once.get(line) === at ? places.get(line) : undefined;
    if (place === undefined || (best !== undefined && at + place >= best.left + best.right)) continue;
    best = { left: at, right: place };
  }
  return best && { before: left.starts[best.left] as number, after: right.starts[best.right] as number };
}

function onlyOnce(lines: readonly string[]): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  const twice = new Set<string>();
  for (const [at, line] of lines.entries()) {
    if (places.has(line)) twice.add(line);
    else places.set(line, at);
  }
  for (const line of twice) places.delete(line);
  return places;
}

const lineBreak = 0x0a;
