import { resolvePlain } from './resolvePlain.ts';
import { colon, newline, space, type UsualCursor } from './usualCursor.ts';
import { usualQuoted } from './usualQuoted.ts';

export interface FlowCollection {
  readonly value: unknown;
  /** Behind its last character. */
  readonly end: number;
}

/**
 * The flow collection (`[a, b]`, `{a: b}`) that begins at `at`; further lines of it are indented deeper than `parent`.
 * Undefined where its meaning is not plain to see.
 */
export function usualFlow(cursor: UsualCursor, at: number, parent: number, depth = 0): FlowCollection | undefined {
  const { text } = cursor;
  const skip = (from: number) => toInk(cursor, from, parent);
  if (depth > deepest) return undefined;
  const isMapping = text.charCodeAt(at) === openBrace;
  const close = isMapping ? closeBrace : closeBracket;
  const items: unknown[] = [];
  const entries: Record<string, unknown> = {};
  let here = skip(at + 1);
  if (text.charCodeAt(here) === close) return { value: isMapping ? entries : items, end: here + 1 };
  for (;;) {
    let key: string | undefined;
    if (isMapping) {
      const read = keyAt(cursor, here);
      if (read === undefined || entries[read.key] !== undefined) return undefined;
      key = read.key;
      here = skip(read.end);
    }
    const read = nodeAt(cursor, here, parent, depth);
    if (read === undefined) return undefined;
    if (key === undefined) items.push(read.value);
    else entries[key] = read.value;
    here = skip(read.end);
    const sign = text.charCodeAt(here);
    if (sign === close) return { value: isMapping ? entries : items, end: here + 1 };
    if (sign !== comma) return undefined;
    here = skip(here + 1);
  }
}

const deepest = 20;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const closeBracket = 0x5d;
const comma = 0x2c;

/** The next character that is no blank; the end of the document where a line is indented too little. */
function toInk({ text, end }: UsualCursor, from: number, parent: number): number {
  let line = -1;
  for (let at = from; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === newline) line = at + 1;
    else if (code !== space) return line !== -1 && at - line <= parent ? end : at;
  }
  return end;
}

function nodeAt(cursor: UsualCursor, at: number, parent: number, depth: number): FlowCollection | undefined {
  switch (cursor.text[at]) {
    case '[':
    case '{':
      return usualFlow(cursor, at, parent, depth + 1);
    case '"':
    case "'": {
      const quoted = usualQuoted(cursor, at);
      return quoted === undefined || quoted.hasBreak ? undefined : quoted;
    }
    default: {
      const end = wordEnd(cursor, at);
      if (end === at) return undefined;
      const value = resolved(cursor, cursor.text.slice(at, end));
      return value === undefined ? undefined : { value, end };
    }
  }
}

function keyAt(cursor: UsualCursor, at: number): { readonly key: string; readonly end: number } | undefined {
  const { text } = cursor;
  const isQuoted = text.charCodeAt(at) === 0x22;
  const read = nodeAt(cursor, at, -1, deepest);
  if (read === undefined || read.value === null || typeof read.value === 'object') return undefined;
  if (text.charCodeAt(read.end) !== colon) return undefined;
  // Behind a quoted key the colon may touch the value, as in JSON.
  const isEnded = isQuoted || text.charCodeAt(read.end + 1) === space || text.charCodeAt(read.end + 1) === newline;
  return isEnded ? { key: String(read.value), end: read.end + 1 } : undefined;
}

/** Behind a plain scalar of letters, digits and signs without a meaning; blanks only between words. */
function wordEnd({ text, end }: UsualCursor, at: number): number {
  let here = at;
  for (; here < end; here += 1) {
    const code = text.charCodeAt(here);
    if (code === newline || code > 0x7e) return at;
    if (isWord(code)) continue;
    // `10.0.0.1:80`: a colon that no blank follows.
    if (code === colon && here > at && isWord(text.charCodeAt(here + 1))) continue;
    break;
  }
  // A sign first (`-`) may be more than a sign.
  return here > at && /[\w./]/.test(text[at] as string) ? here : at;
}

function isWord(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || (code >= 0x2d && code <= 0x39) || code === 0x5f
  );
}

function resolved(cursor: UsualCursor, text: string): unknown {
  if (cursor.keepsShortWords && /^[yn]$/i.test(text)) return text;
  const value = resolvePlain(text);
  return typeof value === 'number' && !Number.isFinite(value) ? undefined : value;
}
