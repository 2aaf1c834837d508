/** Where and why a text is not JSON. */
export interface JsonError {
  readonly offset: number;
  /** Where the text ends, if that is what is wrong. */
  readonly end?: number;
  readonly message: string;
}

/**
 * The first place where `text` is not one JSON value; undefined where it is. JSON.parse finds the same, but does not
 * say where in every engine. Recursion would let a hostile file use up the stack: open brackets are kept in an array.
 */
export function findJsonError(text: string): JsonError | undefined {
  const open: { readonly bracket: string; readonly offset: number }[] = [];
  let at = skip(blanks, text, 0);
  let expected: Expected = 'value';
  while (at < text.length || expected !== 'end') {
    const character = text[at];
    if (character === undefined) return endsEarly(text, open);
    const inside = open.at(-1)?.bracket;
    if (character === '}' || character === ']') {
      const isItsEnd = inside === (character === '}' ? '{' : '[');
      const mayEnd = expected === 'commaOrEnd' || expected === 'firstKey' || expected === 'firstItem';
      if (!isItsEnd || !mayEnd) return unexpected(text, at, expected, inside);
      open.pop();
      at += 1;
      expected = open.length === 0 ? 'end' : 'commaOrEnd';
    } else if (expected === 'commaOrEnd') {
      if (character !== ',') return unexpected(text, at, expected, inside);
      at += 1;
      expected = inside === '{' ? 'key' : 'value';
    } else if (expected === 'firstKey' || expected === 'key') {
      if (character !== '"') return unexpected(text, at, expected, inside);
      const end = stringEnd(text, at);
      if (typeof end !== 'number') return end;
      at = skip(blanks, text, end);
      if (text[at] === undefined) return endsEarly(text, open);
      if (text[at] !== ':') return { offset: at, message: 'expected ":" after a key' };
      at += 1;
      expected = 'value';
    } else if (expected === 'end') {
      return unexpected(text, at, expected, inside);
    } else if (character === '{' || character === '[') {
      open.push({ bracket: character, offset: at });
      at += 1;
      expected = character === '{' ? 'firstKey' : 'firstItem';
    } else {
      const end = character === '"' ? stringEnd(text, at) : skip(word, text, at);
      if (typeof end !== 'number') return end;
      if (end === at) return unexpected(text, at, expected, inside);
      at = end;
      expected = open.length === 0 ? 'end' : 'commaOrEnd';
    }
    at = skip(blanks, text, at);
  }
  return undefined;
}

type Expected = 'value' | 'firstItem' | 'firstKey' | 'key' | 'commaOrEnd' | 'end';

const blanks = /[ \t\r\n]*/y;
const word = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?(?![\w.])|(?:true|false|null)(?!\w)/y;

/** The end of what a sticky expression matches at `at`; `at` where it does not. */
function skip(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : at;
}

function unexpected(text: string, at: number, expected: Expected, inside: string | undefined): JsonError {
  const end = inside === '{' ? '}' : ']';
  const wanted: Readonly<Record<Expected, string>> = {
    value: 'a value',
    firstItem: 'a value or "]"',
    firstKey: 'a key in double quotes or "}"',
    key: 'a key in double quotes',
    commaOrEnd: `"," or "${end}"`,
    end: 'the end of the text',
  };
  const hasSpareComma = (expected === 'key' || expected === 'value') && (text[at] === '}' || text[at] === ']');
  const message = `expected ${wanted[expected]}${hasSpareComma ? ': a comma stands before the closing bracket' : ''}`;
  return { offset: at, message };
}

function endsEarly(text: string, open: readonly { readonly bracket: string; readonly offset: number }[]): JsonError {
  const last = open.at(-1);
  const end = Math.max(text.trimEnd().length - 1, 0);
  if (last === undefined) return { offset: end, message: 'expected a value' };
  return { offset: last.offset, end, message: `this "${last.bracket}" is not closed where the text ends` };
}

/** The end of the quoted text at `start`, or what is wrong with it; by hand, as an expression could backtrack for hours. */
function stringEnd(text: string, start: number): number | JsonError {
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code === 0x0a || code === 0x0d) break;
    if (code < 0x20) {
      const name = code === 0 ? 'NUL' : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
      return { offset: at, message: `control character ${name} in a text: write it as an escape` };
    }
    if (code === 0x5c) {
      if (!escapeSequence.test(text.slice(at, at + 6)))
        return { offset: at, message: 'an escape that JSON does not have' };
      at += 1;
    }
  }
  const end = text.indexOf('\n', start);
  return {
    offset: start,
    end: end === -1 ? Math.max(text.length - 1, start) : Math.max(end - 1, start),
    message: 'this text in quotes is not closed',
  };
}

const escapeSequence = /^\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/;
