import { resolvePlain } from './resolvePlain.ts';
import { usualBlockScalar } from './usualBlockScalar.ts';
import { colon, endLine, giveUp, hash, lineEnd, newline, space, tab, toLine, type UsualCursor } from './usualCursor.ts';
import { usualFlow } from './usualFlow.ts';
import { usualQuoted } from './usualQuoted.ts';

/**
 * A scalar or flow collection that begins at `at` behind a colon or dash; further lines of it are indented deeper than
 * `parent`. The cursor then is on the line behind it.
 */
export function usualValue(cursor: UsualCursor, at: number, parent: number): unknown {
  const { text } = cursor;
  switch (text.charCodeAt(at)) {
    case 0x22: // "
    case 0x27: {
      const quoted = usualQuoted(cursor, at, parent);
      if (quoted === undefined) return giveUp(cursor);
      endLine(cursor, quoted.end);
      return quoted.value;
    }
    case 0x5b: // [
    case 0x7b: {
      const flow = usualFlow(cursor, at, parent);
      if (flow === undefined) return giveUp(cursor);
      endLine(cursor, flow.end);
      return flow.value;
    }
    case 0x7c: // |
    case 0x3e:
      return usualBlockScalar(cursor, at, parent);
    case 0x2d: // -
      return text.charCodeAt(at + 1) === space || isLineEnd(cursor, at + 1)
        ? giveUp(cursor)
        : plain(cursor, at, parent);
    case 0x21: // !
    case 0x23: // #
    case 0x25: // %
    case 0x26: // &
    case 0x2a: // *
    case 0x2c: // ,
    case 0x3a: // :
    case 0x3f: // ?
    case 0x40: // @
    case 0x5d: // ]
    case 0x60: // `
    case 0x7d: // }
      return giveUp(cursor);
    default:
      return plain(cursor, at, parent);
  }
}

function isLineEnd({ text, end }: UsualCursor, at: number): boolean {
  return at >= end || text.charCodeAt(at) === newline;
}

/** A plain scalar of one or several lines. */
function plain(cursor: UsualCursor, at: number, parent: number): unknown {
  const { text } = cursor;
  const stop = lineEnd(cursor, at);
  const end = plainEnd(cursor, at, stop);
  if (end === -1) return giveUp(cursor);
  const first = text.slice(at, end);
  toLine(cursor, stop + 1);
  if (cursor.indent <= parent) return resolve(cursor, first);
  return folded(cursor, first, stop, parent, end);
}

/** Where a plain scalar ends on its line: before a comment and blanks. -1: it holds a tab, or what might be a key's colon. */
function plainEnd({ text }: UsualCursor, at: number, stop: number): number {
  let end = stop;
  for (let here = at; here < stop; here += 1) {
    const code = text.charCodeAt(here);
    if (code === tab) return -1;
    if (code === colon) {
      const next = here + 1 < stop ? text.charCodeAt(here + 1) : space;
      if (next === space) return -1;
    } else if (code === hash && text.charCodeAt(here - 1) === space) {
      end = here;
      break;
    }
  }
  while (text.charCodeAt(end - 1) === space) end -= 1;
  return end;
}

/** A plain scalar that goes on: a line end is a blank, an empty line a line end. Comments may not come between. */
function folded(cursor: UsualCursor, first: string, firstStop: number, parent: number, firstEnd: number): unknown {
  const { text } = cursor;
  if (text.slice(firstEnd, firstStop).trim() !== '') return giveUp(cursor);
  let value = first;
  let previous = firstStop;
  while (cursor.indent > parent) {
    const { at } = cursor;
    if (cursor.isAfterComment || beginsOddly.test(text[at] as string)) return giveUp(cursor);
    const stop = lineEnd(cursor, at);
    const end = plainEnd(cursor, at, stop);
    if (end === -1 || text.slice(end, stop).trim() !== '') return giveUp(cursor);
    const breaks = countBreaks(text, previous, at);
    value += (breaks === 1 ? ' ' : '\n'.repeat(breaks - 1)) + text.slice(at, end);
    previous = stop;
    toLine(cursor, stop + 1);
  }
  return resolve(cursor, value);
}

/** What has a meaning of its own at the start of a line in other places. */
const beginsOddly = /[-?:,[\]{}#&*!|>'"%@`]/;

function countBreaks(text: string, from: number, to: number): number {
  let breaks = 0;
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) breaks += 1;
  return breaks;
}

function resolve(cursor: UsualCursor, text: string): unknown {
  if (cursor.keepsShortWords && /^[yn]$/i.test(text)) return text;
  const value = resolvePlain(text);
  return typeof value === 'number' && !Number.isFinite(value) ? giveUp(cursor) : value;
}
