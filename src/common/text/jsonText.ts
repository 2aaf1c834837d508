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
  if (typeof value !== 'object' || value === null || 'toJSON' in value) {
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

function* unnamed(items: Iterable<unknown>): Generator<readonly [name: undefined, item: unknown]> {
  for (const item of items) yield [undefined, item];
}

function whole(value: unknown, lineEnd: string): string {
  return escapeJson(JSON.stringify(value, null, 2)).replaceAll('\n', lineEnd);
}
