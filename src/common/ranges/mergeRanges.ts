import type { RangeOf } from './valueRange.ts';

/**
 * The same values in ascending ranges that neither overlap nor touch; the same list where it is so already, as most lists
 * are. `touches`: nothing lies between the end of one range and the beginning of another behind it.
 */
export function mergeRanges<V extends number | bigint | string>(
  ranges: readonly RangeOf<V>[],
  touches: (last: V, first: V) => boolean,
): readonly RangeOf<V>[] {
  if (isMerged(ranges, touches)) return ranges;
  const sorted = [...ranges].sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  const merged: RangeOf<V>[] = [];
  for (const range of sorted) {
    const previous = merged.at(-1);
    if (previous === undefined || !(range.first <= previous.last || touches(previous.last, range.first))) {
      merged.push(range);
    } else if (range.last > previous.last) {
      merged[merged.length - 1] = { first: previous.first, last: range.last };
    }
  }
  return merged;
}

function isMerged<V extends number | bigint | string>(
  ranges: readonly RangeOf<V>[],
  touches: (last: V, first: V) => boolean,
): boolean {
  for (let at = 1; at < ranges.length; at += 1) {
    const { last } = ranges[at - 1] as RangeOf<V>;
    const { first } = ranges[at] as RangeOf<V>;
    if (first <= last || touches(last, first)) return false;
  }
  return true;
}
