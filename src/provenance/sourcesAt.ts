import type { Origin } from '../diagnostics/diagnostic.ts';
import type { RuleSource } from './ruleSources.ts';

/**
 * Numbers of the sources that are written at a line (from 1) of a file or, where none is, begin last before it. Finding a
 * place may need the text to be parsed: of the objects in a file only those in question are asked for theirs.
 */
export function sourcesAt(
  all: readonly RuleSource[],
  file: string,
  line: number,
  lineOf: (origin: Origin) => number | undefined,
): readonly number[] {
  const objects = objectsOf(all, file);
  const lines = (at: number) =>
    (objects[at] ?? []).map(({ source, origin }) => ({ source, line: lineOf(origin) ?? Number.POSITIVE_INFINITY }));
  // Objects stand in the order of their numbers: the last that begins at the line or before it.
  let low = 0;
  let high = objects.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (Math.min(...lines(middle).map((one) => one.line)) <= line) low = middle + 1;
    else high = middle;
  }
  const before = lines(low - 1).filter((one) => one.line <= line);
  const last = Math.max(...before.map((one) => one.line));
  return before.filter((one) => one.line === last).map(({ source }) => source);
}

interface Written {
  readonly source: number;
  readonly origin: Origin;
}

/** What is written in a file, by object, in the order of the text. */
function objectsOf(all: readonly RuleSource[], file: string): readonly (readonly Written[])[] {
  const objects = new Map<string, { readonly order: readonly number[]; readonly written: Written[] }>();
  for (const [source, { at }] of all.entries()) {
    const [origin] = at;
    if (origin?.file !== file) continue;
    const order = orderOf(origin);
    const key = order.join(' ');
    const known = objects.get(key);
    if (known === undefined) objects.set(key, { order, written: [{ source, origin }] });
    else known.written.push({ source, origin });
  }
  const compare = (one: readonly number[], other: readonly number[]) =>
    one.map((number, at) => number - (other[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
  return [...objects.values()].sort((one, other) => compare(one.order, other.order)).map(({ written }) => written);
}

/** What tells objects of a file apart, and says which stands first. */
function orderOf({ document, offset = 0, path: [list, item] }: Origin): readonly number[] {
  return [document, offset, list === 'items' && typeof item === 'number' ? item : 0];
}
