import { formatAddressNumber } from '../../common/addresses/addressNumber.ts';
import type { Family } from '../../common/addresses/family.ts';
import type { RangeList } from '../../common/ranges/rangeList.ts';

/** The range whose bounds begin there, as nft lists intervals: a prefix if it is one, an address, otherwise a range. */
export function intervalText(ranges: RangeList, at: number, family: Family): string {
  const first = ranges[at] as number | bigint;
  const last = ranges[at + 1] as number | bigint;
  const address = formatAddressNumber(first, family);
  if (first === last) return address;
  const length =
    family === 'ipv4' ? ipv4PrefixLength(Number(first), Number(last)) : ipv6PrefixLength(BigInt(first), BigInt(last));
  return length === undefined ? `${address}-${formatAddressNumber(last, family)}` : `${address}/${length}`;
}

/** Undefined: the range is no prefix. */
function ipv4PrefixLength(first: number, last: number): number | undefined {
  const size = last - first + 1;
  const hostBits = size === 2 ** 32 ? 32 : 31 - Math.clz32(size);
  return size === 2 ** hostBits && first % size === 0 ? 32 - hostBits : undefined;
}

function ipv6PrefixLength(first: bigint, last: bigint): number | undefined {
  const size = last - first + 1n;
  const isPrefix = (size & (size - 1n)) === 0n && first % size === 0n;
  return isPrefix ? 129 - size.toString(2).length : undefined;
}
