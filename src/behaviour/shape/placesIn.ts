import type { Value, ValueRange } from '../../common/ranges/valueRange.ts';
import { and } from '../../netfilter/addressRanges.ts';

/** Values that a rule matches: those in the range once the mask is applied. */
export interface Place extends ValueRange {
  readonly mask?: Value | undefined;
}

/** In which of the places a value is. */
export function placesIn(value: Value, places: readonly Place[]): string {
  let text = '';
  for (const { first, last, mask } of places) {
    const own = mask === undefined ? value : and(value, mask);
    text += first <= own && own <= last ? '1' : '0';
  }
  return text;
}

export function withoutTwins(places: readonly Place[]): readonly Place[] {
  return [...new Map(places.map((place) => [`${place.first} ${place.last} ${place.mask ?? ''}`, place])).values()];
}
