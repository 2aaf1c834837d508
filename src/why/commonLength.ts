import type { Value } from '../common/ranges/valueRange.ts';

/** Bits that two addresses have in common from the front. */
export function commonLength(one: Value, other: Value, width: number): number {
  const difference = BigInt(one) ^ BigInt(other);
  return difference === 0n ? width : width - difference.toString(2).length;
}
