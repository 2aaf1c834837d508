import { mergeRanges } from './mergeRanges.ts';
import { after, before, type RangeOf, type Value, type ValueRange } from './valueRange.ts';

/** Numbers or addresses: sorted, disjoint ranges. Most sets of a trace have one value. */
export type ValueSet = readonly ValueRange[];

/** A set divided by the ranges of others. */
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

/** The parts of the set inside and outside of the ranges, which are sorted and disjoint. */
export function cut(set: ValueSet, ranges: ValueSet): Cut {
  const value = onlyValue(set);
  if (value !== undefined) {
    return hasValue(ranges, value) ? { inside: set, outside: nothing } : { inside: nothing, outside: set };
  }
  const [range] = ranges;
  if (range === undefined) return { inside: nothing, outside: set };
  return ranges.length === 1 ? cutByOne(set, range) : cutByAll(set, ranges);
}

/** Usually one address or network is cut out of the addresses of all Pods: distant ranges are skipped. */
function cutByOne(set: ValueSet, range: ValueRange): Cut {
  const from = firstIndex(set, ({ last }) => last >= range.first);
  const to = firstIndex(set, ({ first }) => first > range.last);
  if (from >= to) return { inside: nothing, outside: set };
  const [low, high] = [set[from] as ValueRange, set[to - 1] as ValueRange];
  const isWhole = low.first >= range.first && high.last <= range.last;
  if (isWhole && from === 0 && to === set.length) return { inside: set, outside: nothing };
  const inside = set.slice(from, to);
  const outside = set.slice(0, from);
  if (low.first < range.first) outside.push({ first: low.first, last: before(range.first) });
  if (high.last > range.last) outside.push({ first: after(range.last), last: high.last });
  if (!isWhole) {
    for (const at of new Set([0, inside.length - 1])) inside[at] = overlap(inside[at] as ValueRange, range);
  }
  const rest = to === set.length ? outside : outside.concat(set.slice(to));
  return { inside, outside: rest.length === 0 ? nothing : rest };
}

function overlap(one: ValueRange, other: ValueRange): ValueRange {
  return {
    first: one.first < other.first ? other.first : one.first,
    last: one.last > other.last ? other.last : one.last,
  };
}

/**
 * The first index whose range fulfils a condition that all later ones fulfil too; the length of the set if none does.
 */
function firstIndex(set: ValueSet, fulfils: (range: ValueRange) => boolean): number {
  let [low, high] = [0, set.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fulfils(set[middle] as ValueRange)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function cutByAll(set: ValueSet, ranges: ValueSet): Cut {
  const inside: ValueRange[] = [];
  const outside: ValueRange[] = [];
  let at = 0;
  for (const whole of set) {
    // Parts of one set share most of its ranges.
    if (whole === ranges[at]) {
      inside.push(whole);
      at += 1;
      continue;
    }
    const { first, last } = whole;
    let from = first;
    while (at < ranges.length && (ranges[at] as ValueRange).last < from) at += 1;
    let next = at;
    while (next < ranges.length && (ranges[next] as ValueRange).first <= last) {
      const range = ranges[next] as ValueRange;
      if (from < range.first) outside.push({ first: from, last: before(range.first) });
      inside.push(range.first <= first && last <= range.last ? whole : overlap({ first: from, last }, range));
      if (range.last >= last) {
        from = after(last);
        break;
      }
      from = after(range.last);
      next += 1;
    }
    if (from === first) outside.push(whole);
    else if (from <= last) outside.push({ first: from, last });
  }
  return { inside: inside.length === 0 ? nothing : inside, outside: outside.length === 0 ? nothing : outside };
}

/** All values of these ranges, which may overlap, in any order. */
export function union<V extends Value>(ranges: readonly RangeOf<V>[]): readonly RangeOf<V>[] {
  return mergeRanges(ranges, (last, first) => first === after(last));
}

/** What is left of a range without others, which may lie in each other, in any order. */
export function without<V extends Value>(range: RangeOf<V>, holes: readonly RangeOf<V>[]): readonly RangeOf<V>[] {
  return cut([range], union(holes)).outside as readonly RangeOf<V>[];
}
