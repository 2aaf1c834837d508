import type { Value } from '../../netfilter/meaning.ts';
import { addressText } from '../../walk/values/text.ts';
import { after, type ValueSet } from '../../walk/values/valueSet.ts';

/**
 * A set of addresses as the fewest prefixes; a single address has no length. At most about `most`, then the number of
 * further ranges.
 */
export function prefixTexts(set: ValueSet, most: number = Number.POSITIVE_INFINITY): readonly string[] {
  const texts: string[] = [];
  for (const [at, { first, last }] of set.entries()) {
    if (texts.length >= most) return [...texts, `${set.length - at} more`];
    for (let from = first; from <= last; ) {
      const bits = freeBits(from, last);
      texts.push(prefixText(from, bits));
      const end = lastOf(from, bits);
      if (end >= last) break;
      from = after(end);
    }
  }
  return texts;
}

/** How many low bits may be arbitrary: the prefix must begin here and end before `last`. */
function freeBits(from: Value, last: Value): number {
  const length = typeof from === 'bigint' ? 128 : 32;
  let bits = 0;
  while (bits < length && isAligned(from, bits + 1) && lastOf(from, bits + 1) <= last) bits += 1;
  return bits;
}

function isAligned(from: Value, bits: number): boolean {
  return typeof from === 'bigint' ? from % (1n << BigInt(bits)) === 0n : from % 2 ** bits === 0;
}

function lastOf(from: Value, bits: number): Value {
  return typeof from === 'bigint' ? from + (1n << BigInt(bits)) - 1n : from + 2 ** bits - 1;
}

function prefixText(from: Value, bits: number): string {
  const length = (typeof from === 'bigint' ? 128 : 32) - bits;
  return bits === 0 ? addressText(from) : `${addressText(from)}/${length}`;
}
