import { networkText, prefixesOf } from '../../common/ranges/prefixesOf.ts';
import type { ValueSet } from '../../common/ranges/valueSet.ts';
import { familyOfValue } from '../../trace/question/familyOfValue.ts';

/**
 * A set of addresses as the fewest prefixes; a single address has no length. At most about `most`, then the number of
 * further ranges.
 */
export function prefixTexts(set: ValueSet, most: number = Number.POSITIVE_INFINITY): readonly string[] {
  const texts: string[] = [];
  for (const [at, range] of set.entries()) {
    if (texts.length >= most) return [...texts, `${set.length - at} more`];
    const family = familyOfValue(range.first);
    for (const prefix of prefixesOf(range, family)) texts.push(networkText(prefix, family));
  }
  return texts;
}
