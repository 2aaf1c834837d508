import { newline, space, tab, type UsualCursor } from './usualCursor.ts';

export interface Quoted {
  readonly value: string;
  /** Behind the closing quote. */
  readonly end: number;
  readonly hasBreak: boolean;
}

/**
 * The quoted scalar that begins at `at`; further lines of it are indented deeper than `parent`. Undefined: it is not
 * closed, or holds a tab or an escape that says nothing.
 */
export function usualQuoted(cursor: UsualCursor, at: number, parent = -1): Quoted | undefined {
  const { text, end } = cursor;
  const quote = text.charCodeAt(at);
  let hasEscape = false;
  let hasBreak = false;
  for (let here = at + 1; here < end; here += 1) {
    const code = text.charCodeAt(here);
    if (code === newline) {
      hasBreak = true;
    } else if (code === tab) {
      return undefined;
    } else if (code === backslash && quote === doubleQuote) {
      hasEscape = true;
      here += 1;
      if (text.charCodeAt(here) === newline) hasBreak = true;
    } else if (code === quote) {
      if (quote === singleQuote && text.charCodeAt(here + 1) === singleQuote) {
        hasEscape = true;
        here += 1;
        continue;
      }
      const value = quotedValue(text.slice(at + 1, here), quote, hasEscape, hasBreak, parent);
      return value === undefined ? undefined : { value, end: here + 1, hasBreak };
    }
  }
  return undefined;
}

const backslash = 0x5c;
const doubleQuote = 0x22;
const singleQuote = 0x27;

function quotedValue(
  inside: string,
  quote: number,
  hasEscape: boolean,
  hasBreak: boolean,
  parent: number,
): string | undefined {
  if (!hasEscape && !hasBreak) return inside;
  const isDouble = quote === doubleQuote;
  const source = hasBreak ? joined(inside, isDouble, parent) : inside;
  if (source === undefined || !isDouble) return source?.replaceAll("''", "'");
  return hasEscape ? unescaped(source) : source.replaceAll('\\n', '\n');
}

/** Lines as one: a line end is a blank, an empty line a line end, and blanks around it go. */
function joined(inside: string, isDouble: boolean, parent: number): string | undefined {
  const lines = inside.split('\n');
  let value = '';
  let isEscaped = false;
  let breaks = 0;
  for (const [index, line] of lines.entries()) {
    const isLast = index === lines.length - 1;
    const start = index === 0 ? 0 : firstInk(line);
    if (index > 0 && start === line.length && !isLast) {
      // Empty lines behind an escaped line end are a matter of taste.
      if (isEscaped) return undefined;
      breaks += 1;
      continue;
    }
    if (index > 0) {
      if (start <= parent) return undefined;
      if (!isEscaped) value += breaks === 0 ? ' ' : (isDouble ? '\\n' : '\n').repeat(breaks);
    }
    breaks = 0;
    const ends = isDouble && !isLast && /(?:^|[^\\])(?:\\\\)*\\$/.test(line);
    const kept = ends ? line.slice(start, -1) : isLast ? line.slice(start) : trimmedEnd(line.slice(start));
    if (kept === undefined) return undefined;
    value += kept;
    isEscaped = ends;
  }
  return value;
}

function firstInk(line: string): number {
  let at = 0;
  while (line.charCodeAt(at) === space) at += 1;
  return at;
}

/** Undefined where the last blank is escaped. */
function trimmedEnd(line: string): string | undefined {
  let end = line.length;
  while (line.charCodeAt(end - 1) === space) end -= 1;
  return end < line.length && line.charCodeAt(end - 1) === backslash ? undefined : line.slice(0, end);
}

/** JSON's escapes mean the same in YAML; the others are rewritten as those. */
function unescaped(source: string): string | undefined {
  const json = source.replace(/\\(?:x([0-9a-fA-F]{2})|(.))/g, (written, hex: string | undefined, sign: string) =>
    hex === undefined ? (escapes.get(sign) ?? written) : `\\u00${hex}`,
  );
  try {
    return JSON.parse(`"${json}"`) as string;
  } catch {
    return undefined;
  }
}

/** What JSON does not have; a blank is escaped where a line that goes on begins with one. */
const escapes: ReadonlyMap<string, string> = new Map([
  [' ', ' '],
  ['0', '\\u0000'],
  ['a', '\\u0007'],
  ['e', '\\u001b'],
  ['v', '\\u000b'],
  ['N', '\\u0085'],
  ['_', '\\u00a0'],
  ['L', '\\u2028'],
  ['P', '\\u2029'],
]);
