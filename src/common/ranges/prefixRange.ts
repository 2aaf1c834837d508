import type { RangeOf, Value } from './valueRange.ts';

/** First and last address of a network: of IPv4 numbers, of IPv6 bigints. */
export function prefixRange<V extends Value>(address: V, length: number): RangeOf<V> {
  return (typeof address === 'bigint' ? ipv6Range(address, length) : ipv4Range(Number(address), length)) as RangeOf<V>;
}

function ipv4Range(address: number, length: number): RangeOf<number> {
  const size = 2 ** (32 - length);
  const first = address - (address % size);
  return { first, last: first + size - 1 };
}

function ipv6Range(address: bigint, length: number): RangeOf<bigint> {
  const hostBits = BigInt(128 - length);
  const first = (address >> hostBits) << hostBits;
  return { first, last: first | ((1n << hostBits) - 1n) };
}
