import { after, before, type Value, type ValueRange } from './valueRange.ts';

/**
 * Addresses of one family as ascending ranges that neither overlap nor touch: the first and the last address of each in
 * turn. There may be millions, and an object for each would be most of the memory. IPv4 addresses are numbers, which are
 * many times as fast as bigints.
 */
export type RangeList = readonly Value[];

/** The addresses of all lists. */
export function joinRanges(lists: readonly RangeList[]): RangeList {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return only;
  const bounds: Value[] = [];
  for (const list of lists) for (const bound of list) bounds.push(bound);
  return mergeBounds(bounds);
}

/** The fewest ranges that hold the same: any ranges, in any order. */
export function mergeBounds(bounds: RangeList): RangeList {
  // Lists as programs write them are mostly in order.
  if (isMerged(bounds)) return bounds;
  const half = bounds.length / 2;
  const firsts = everySecond(bounds, 0);
  const lasts = everySecond(bounds, 1);
  const merged: Value[] = [];
  let open = 0;
  let start = firsts[0] as Value;
  // Which first belongs to which last does not matter: only how many ranges are open.
  for (let first = 0, last = 0; last < half; ) {
    if (first < half && (firsts[first] as Value) <= after(lasts[last] as Value)) {
      if (open === 0) start = firsts[first] as Value;
      open += 1;
      first += 1;
    } else {
      open -= 1;
      if (open === 0) merged.push(start, lasts[last] as Value);
      last += 1;
    }
  }
  return merged;
}

function isMerged(bounds: RangeList): boolean {
  for (let at = 2; at < bounds.length; at += 2) {
    if ((bounds[at] as Value) <= after(bounds[at - 1] as Value)) return false;
  }
  return true;
}

/** Sorted. A typed array does that many times as fast as a comparison function. */
function everySecond(bounds: RangeList, from: 0 | 1): ArrayLike<Value> {
  const half = bounds.length / 2;
  if (typeof bounds[0] === 'bigint') {
    const chosen = bounds.filter((_, at) => at % 2 === from);
    return chosen.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  }
  const chosen = new Float64Array(half);
  for (let at = 0; at < half; at += 1) chosen[at] = bounds[2 * at + from] as number;
  return chosen.sort();
}

/** Adds what is left of a range without the holes. */
export function pushWithout(bounds: Value[], range: ValueRange, holes: RangeList): void {
  let { first } = range;
  for (let at = 0; at < holes.length; at += 2) {
    const [from, to] = [holes[at] as Value, holes[at + 1] as Value];
    if (to < first) continue;
    if (from > range.last) break;
    if (from > first) bounds.push(first, before(from));
    first = after(to);
  }
  if (first <= range.last) bounds.push(first, range.last);
}
