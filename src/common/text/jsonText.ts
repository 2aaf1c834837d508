import { escapeJson } from './escapeText.ts';

/**
 * A value as `JSON.stringify(value, null, 2)` writes it, with a line end, in pieces: a list of many thousand items
 * never becomes one text, and items with `toJSON` are made one at a time. Whatever can be gone through is a list, so one
 * of millions need not be held. Characters that must not reach a terminal are
 * escaped as JSON escapes them.
 */
export function* jsonText(value: object): Generator<string> {
  yield* pieces(value, '\n');
  yield '\n';
}

function* pieces(value: unknown, lineEnd: string): Generator<string> {
  if (typeof value !== 'object' || value === null || 'toJSON' in value || partsLeft(value, fewParts) >= 0) {
    yield whole(value ?? null, lineEnd);
    return;
  }
  const isList = Symbol.iterator in value;
  const inner = `${lineEnd}  `;
  let separator = inner;
  yield isList ? '[' : '{';
  for (const [name, item] of isList ? unnamed(value as Iterable<unknown>) : Object.entries(value)) {
    if (item === undefined && !isList) continue;
    yield isList ? separator : `${separator}${whole(name, inner)}: `;
    yield* pieces(item, inner);
    separator = `,${inner}`;
  }
  if (separator !== inner) yield lineEnd;
  yield isList ? ']' : '}';
}

/** What is smaller is one piece: a generator for each part of it takes ten times as long. */
const fewParts = 200;

/** How many of `most` parts are left for others; below 0: there are more, or lists that only `pieces` can go through. */
function partsLeft(value: unknown, most: number): number {
  let left = most - 1;
  if (typeof value !== 'object' || value === null) return left;
  if ('toJSON' in value) return -1;
  if (Array.isArray(value)) {
    if (value.length > left) return -1;
    for (const item of value) {
      left = partsLeft(item, left);
      if (left < 0) return left;
    }
    return left;
  }
  if (Symbol.iterator in value) return -1;
  for (const name in value) {
    left = partsLeft((value as Readonly<Record<string, unknown>>)[name], left);
    if (left < 0) return left;
  }
  return left;
}

function* unnamed(items: Iterable<unknown>): Generator<readonly [name: undefined, item: unknown]> {
  for (const item of items) yield [undefined, item];
}

function whole(value: unknown, lineEnd: string): string {
  const text = escapeJson(JSON.stringify(value, null, 2));
  return lineEnd === '\n' ? text : text.replaceAll('\n', lineEnd);
}
