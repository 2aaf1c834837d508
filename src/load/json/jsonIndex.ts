/** Where a value of a JSON text stands; `end` is after its last character. */
export interface JsonValue {
  readonly start: number;
  readonly end: number;
}

/** A member or item of a JSON object or array. */
export interface JsonChild extends JsonValue {
  readonly key: string | number;
  /** Of an object: where the key's quotes stand. */
  readonly keyStart?: number;
  readonly keyEnd?: number;
}

/**
 * Where the values at the top of a JSON text stand, one after the other; text that is no JSON gives an end somewhere.
 * Values are skipped without being read, which is fast enough to find a place in a list of 90 MB.
 */
export function jsonValues(text: string): JsonValue[] {
  const values: JsonValue[] = [];
  for (let at = skipBlanks(text, 0); at < text.length; ) {
    const end = Math.max(skipValue(text, at), at + 1);
    values.push({ start: at, end });
    at = skipBlanks(text, end);
  }
  return values;
}

/** The children of the object or array that starts at `start`, as they stand; none of any other value. */
export function jsonChildren(text: string, start: number): readonly JsonChild[] {
  return readChildren(text, start).children;
}

/**
 * The same, and for each list among the children, by its start: the places of its end and its items, since a long list
 * is scanned only once.
 */
export function jsonGrandchildren(
  text: string,
  start: number,
): { readonly children: readonly JsonChild[]; readonly lists: ReadonlyMap<number, readonly JsonChild[]> } {
  const lists = new Map<number, readonly JsonChild[]>();
  const endOf = (at: number) => {
    if (text[at] !== '[') return skipValue(text, at);
    const { children, end } = readChildren(text, at);
    if (text[end - 1] !== ']') return skipValue(text, at);
    lists.set(at, children);
    return end;
  };
  return { children: readChildren(text, start, endOf).children, lists };
}

function readChildren(
  text: string,
  start: number,
  endOf: (at: number) => number = (at) => skipValue(text, at),
): { readonly children: readonly JsonChild[]; readonly end: number } {
  const children: JsonChild[] = [];
  const isObject = text[start] === '{';
  if (!isObject && text[start] !== '[') return { children, end: start };
  let at = skipBlanks(text, start + 1);
  while (at < text.length && text[at] !== '}' && text[at] !== ']') {
    const keyStart = at;
    let key: string | number = children.length;
    let keyEnd = at;
    if (isObject) {
      keyEnd = skipValue(text, at);
      key = keyText(text.slice(at, keyEnd));
      at = skipBlanks(text, keyEnd);
      if (text[at] === ':') at = skipBlanks(text, at + 1);
    }
    const end = Math.max(endOf(at), at + 1);
    children.push(isObject ? { key, keyStart, keyEnd, start: at, end } : { key, start: at, end });
    at = skipBlanks(text, end);
    if (text[at] === ',') at = skipBlanks(text, at + 1);
  }
  return { children, end: Math.min(at + 1, text.length) };
}

function keyText(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
  }
  return at;
}

/** The end of the value that starts at `from`, whatever is in it. */
function skipValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  while (at < text.length) {
    switch (text.charCodeAt(at)) {
      case 0x22: // "
        at = skipString(text, at);
        break;
      case 0x7b: // {
      case 0x5b: // [
        depth += 1;
        at += 1;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        if (depth === 0) return at;
        depth -= 1;
        at += 1;
        break;
      case 0x20:
      case 0x0a:
      case 0x0d:
      case 0x09:
      case 0x2c: // ,
      case 0x3a: // :
        at += 1;
        break;
      default:
        at = skipWord(text, at);
    }
    if (depth === 0) return at;
  }
  return at;
}

function skipString(text: string, from: number): number {
  for (let at = from + 1; ; at += 1) {
    at = text.indexOf('"', at);
    if (at === -1) return text.length;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes += 1;
    if (slashes % 2 === 0) return at + 1;
  }
}

function skipWord(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= 0x20 || code === 0x2c || code === 0x3a || code === 0x7d || code === 0x5d || code === 0x22) break;
    if (code === 0x7b || code === 0x5b) break;
  }
  return Math.max(at, from + 1);
}
