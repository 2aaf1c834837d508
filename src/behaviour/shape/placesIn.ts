import type { Value, ValueRange } from '../../common/ranges/valueRange.ts';

/** In which of the ranges a value is. */
export function placesIn(value: Value, ranges: readonly ValueRange[]): string {
  let text = '';
  for (const { first, last } of ranges) text += first <= value && value <= last ? '1' : '0';
  return text;
}

export function withoutTwins(ranges: readonly ValueRange[]): readonly ValueRange[] {
  return [...new Map(ranges.map((range) => [`${range.first} ${range.last}`, range])).values()];
}
