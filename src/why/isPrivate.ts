import type { Value } from '../common/ranges/valueRange.ts';

/** Ranges that the public internet does not route: RFC 1918, RFC 6598, RFC 4193. */
export function isPrivate(address: Value): boolean {
  if (typeof address === 'bigint') return address >> 121n === 0x7en;
  return address >>> 24 === 10 || address >>> 20 === 0xac1 || address >>> 16 === 0xc0a8 || address >>> 22 === 0x191;
}
