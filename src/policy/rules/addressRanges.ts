import type { Cidr } from '../../common/cidr.ts';
import type { Family } from '../../common/family.ts';
import { formatIp, parseIp } from '../../common/ip.ts';

/** Addresses of one family from `first` to `last`. Numbers of both families are bigints here: one arithmetic for both. */
export interface AddressRange {
  readonly first: bigint;
  readonly last: bigint;
}

export function rangeOfCidr(cidr: Cidr): AddressRange {
  return { first: BigInt(cidr.first), last: BigInt(cidr.last) };
}

/** The same addresses in ascending ranges that neither overlap nor touch. */
export function mergeRanges(ranges: readonly AddressRange[]): readonly AddressRange[] {
  if (isMerged(ranges)) return ranges;
  const sorted = [...ranges].sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  const merged: AddressRange[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last === undefined || range.first > last.last + 1n) merged.push(range);
    else if (range.last > last.last) merged[merged.length - 1] = { first: last.first, last: range.last };
  }
  return merged;
}

/** Lists as programs write them are mostly in order, and may be very long. */
function isMerged(ranges: readonly AddressRange[]): boolean {
  for (let at = 1; at < ranges.length; at += 1) {
    const [{ last }, { first }] = [ranges[at - 1] as AddressRange, ranges[at] as AddressRange];
    if (first <= last || first === last + 1n) return false;
  }
  return true;
}

/** What is left of `range` without the others. */
export function subtractRanges(range: AddressRange, without: readonly AddressRange[]): readonly AddressRange[] {
  const left: AddressRange[] = [];
  let first = range.first;
  for (const hole of mergeRanges(without)) {
    if (hole.last < first) continue;
    if (hole.first > range.last) break;
    if (hole.first > first) left.push({ first, last: hole.first - 1n });
    first = hole.last + 1n;
  }
  if (first <= range.last) left.push({ first, last: range.last });
  return left;
}

/** The fewest prefixes that make up the range, in ascending order. */
export function prefixesOf(
  { first, last }: { readonly first: number | bigint; readonly last: number | bigint },
  family: Family,
): readonly string[] {
  if (family === 'ipv4') return ipv4Prefixes(Number(first), Number(last));
  const prefixes: string[] = [];
  let at = BigInt(first);
  while (at <= last) {
    let hostBits = 0;
    while (hostBits < 128 && fits(at, hostBits + 1, last)) hostBits += 1;
    prefixes.push(`${formatAddressNumber(at, family)}/${128 - hostBits}`);
    at += 1n << BigInt(hostBits);
  }
  return prefixes;
}

/** Of numbers, which are many times as fast. */
function ipv4Prefixes(first: number, last: number): readonly string[] {
  const prefixes: string[] = [];
  for (let at = first; at <= last; ) {
    let size = 1;
    let length = 32;
    while (length > 0 && at % (size * 2) === 0 && at + size * 2 - 1 <= last) {
      size *= 2;
      length -= 1;
    }
    prefixes.push(`${formatIp({ family: 'ipv4', value: at })}/${length}`);
    at += size;
  }
  return prefixes;
}

export function formatAddressNumber(value: number | bigint, family: Family): string {
  return formatIp(family === 'ipv4' ? { family, value: Number(value) } : { family, value: BigInt(value) });
}

/** Undefined: not an address of that family. */
export function addressNumber(ip: string, family: Family): bigint | undefined {
  const parsed = parseIp(ip);
  return parsed?.family === family ? BigInt(parsed.value) : undefined;
}

function fits(first: bigint, hostBits: number, last: number | bigint): boolean {
  const size = 1n << BigInt(hostBits);
  return first % size === 0n && first + size - 1n <= last;
}
