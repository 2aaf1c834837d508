import type { Value, ValueRange } from '../netfilter/meaning.ts';

/** Numbers or addresses: ranges that are sorted and apart. Most sets of a trace hold one value. */
export type ValueSet = readonly ValueRange[];

/** A set cut in two by others' ranges. */
export interface Cut {
  readonly inside: ValueSet;
  readonly outside: ValueSet;
}

export const nothing: ValueSet = [];

export function single(value: Value): ValueSet {
  return [{ first: value, last: value }];
}

/** The value of a set that has exactly one. */
export function onlyValue(set: ValueSet): Value | undefined {
  const [range] = set;
  return range !== undefined && set.length === 1 && range.first === range.last ? range.first : undefined;
}

export function hasValue(set: ValueSet, value: Value): boolean {
  let [low, high] = [0, set.length - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = set[middle] as ValueRange;
    if (value < range.first) high = middle - 1;
    else if (value > range.last) low = middle + 1;
    else return true;
  }
  return false;
}

/** What of the set lies in the ranges (sorted and apart), and what does not. */
export function cut(set: ValueSet, ranges: ValueSet): Cut {
  const value = onlyValue(set);
  if (value !== undefined) {
    return hasValue(ranges, value) ? { inside: set, outside: nothing } : { inside: nothing, outside: set };
  }
  const inside: ValueRange[] = [];
  const outside: ValueRange[] = [];
  let at = 0;
  for (const { first, last } of set) {
    let from = first;
    while (at < ranges.length && (ranges[at] as ValueRange).last < from) at += 1;
    let next = at;
    while (next < ranges.length && (ranges[next] as ValueRange).first <= last) {
      const range = ranges[next] as ValueRange;
      if (from < range.first) outside.push({ first: from, last: before(range.first) });
      inside.push({ first: from < range.first ? range.first : from, last: range.last < last ? range.last : last });
      if (range.last >= last) {
        from = after(last);
        break;
      }
      from = after(range.last);
      next += 1;
    }
    if (from <= last) outside.push({ first: from, last });
  }
  return { inside: inside.length === 0 ? nothing : inside, outside: outside.length === 0 ? nothing : outside };
}

/** All values of these ranges, which may lie in each other, in any order. */
export function union(ranges: readonly ValueRange[]): ValueSet {
  const sorted = [...ranges].sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  const joined: ValueRange[] = [];
  for (const range of sorted) {
    const last = joined.at(-1);
    if (last === undefined || range.first > after(last.last)) joined.push(range);
    else if (range.last > last.last) joined[joined.length - 1] = { first: last.first, last: range.last };
  }
  return joined;
}

export function after(value: Value): Value {
  return typeof value === 'bigint' ? value + 1n : value + 1;
}

export function before(value: Value): Value {
  return typeof value === 'bigint' ? value - 1n : value - 1;
}
