import { resolvePlain } from './resolvePlain.ts';
import { colon, hash, newline, space, tab, type UsualCursor } from './usualCursor.ts';
import { usualQuoted } from './usualQuoted.ts';

/** Reads a key that begins at `at` of a line; undefined where none does. `end()` is behind the colon of the last one. */
export interface KeyReader {
  (cursor: UsualCursor, at: number): string | undefined;
  readonly end: () => number;
}

/** Objects of Kubernetes repeat few keys: what was read is found again by its letters. */
export function keyReader(keepsShortWords: boolean): KeyReader {
  const known: (KnownKey | undefined)[] = new Array(knownKeys).fill(undefined);
  let end = 0;
  const read = (cursor: UsualCursor, at: number): string | undefined => {
    const { text } = cursor;
    const first = text.charCodeAt(at);
    if (first === doubleQuote || first === singleQuote) {
      const quoted = usualQuoted(cursor, at);
      if (quoted === undefined || quoted.hasBreak || !isColon(cursor, quoted.end)) return undefined;
      end = quoted.end + 1;
      return quoted.value;
    }
    const stop = plainEnd(cursor, at);
    if (stop === -1 || indicators.has(first)) return undefined;
    end = stop + 1;
    const length = stop - at;
    const slot = (first * 31 + text.charCodeAt(stop - 1) * 7 + length) % knownKeys;
    const entry = known[slot];
    if (entry !== undefined && entry.written.length === length && text.startsWith(entry.written, at)) return entry.key;
    const written = text.slice(at, stop);
    const key = keyOf(written, keepsShortWords);
    if (key !== undefined) known[slot] = { written, key };
    return key;
  };
  return Object.assign(read, { end: () => end });
}

interface KnownKey {
  readonly written: string;
  readonly key: string;
}

const knownKeys = 1021;
const longestKey = 500;
const doubleQuote = 0x22;
const singleQuote = 0x27;

/** What cannot begin a key without having a meaning of its own, or is rare enough to leave it to the full reader. */
const indicators: ReadonlySet<number> = new Set(Array.from('-?:,[]{}#&*!|>%@`', (sign) => sign.charCodeAt(0)));

/** The colon of a plain key that begins at `at`; -1 where the line has none. */
function plainEnd(cursor: UsualCursor, at: number): number {
  const { text } = cursor;
  const most = Math.min(cursor.end, at + longestKey);
  for (let here = at; here < most; here += 1) {
    const code = text.charCodeAt(here);
    if (code === newline || code === hash || code === tab) return -1;
    if (code === colon && isColon(cursor, here)) return text.charCodeAt(here - 1) === space ? -1 : here;
  }
  return -1;
}

/** A colon that ends a key: a blank or the end of the line follows. */
function isColon({ text, end }: UsualCursor, at: number): boolean {
  if (at >= end || text.charCodeAt(at) !== colon) return false;
  const next = text.charCodeAt(at + 1);
  return next === space || next === newline || at + 1 >= end;
}

/** A key as text; undefined if it is not a text, or merges. */
function keyOf(written: string, keepsShortWords: boolean): string | undefined {
  if (written === '<<') return undefined;
  if (keepsShortWords && /^[yn]$/i.test(written)) return written;
  const value = resolvePlain(written);
  return value === null || (typeof value === 'number' && !Number.isFinite(value)) ? undefined : String(value);
}
