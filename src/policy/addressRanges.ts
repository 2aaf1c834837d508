import type { Cidr } from '../common/cidr.ts';
import type { Family } from '../common/family.ts';
import { formatIp, parseIp } from '../common/ip.ts';

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
  const sorted = [...ranges].sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
  const merged: AddressRange[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last === undefined || range.first > last.last + 1n) merged.push(range);
    else if (range.last > last.last) merged[merged.length - 1] = { first: last.first, last: range.last };
  }
  return merged;
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
export function prefixesOf({ first, last }: AddressRange, family: Family): readonly string[] {
  const width = family === 'ipv4' ? 32 : 128;
  const prefixes: string[] = [];
  let at = first;
  while (at <= last) {
    let hostBits = 0;
    while (hostBits < width && fits(at, hostBits + 1, last)) hostBits += 1;
    prefixes.push(`${formatAddress(at, family)}/${width - hostBits}`);
    at += 1n << BigInt(hostBits);
  }
  return prefixes;
}

export function formatAddress(value: bigint, family: Family): string {
  return formatIp(family === 'ipv4' ? { family, value: Number(value) } : { family, value });
}

/** Undefined: not an address of that family. */
export function addressNumber(ip: string, family: Family): bigint | undefined {
  const parsed = parseIp(ip);
  return parsed?.family === family ? BigInt(parsed.value) : undefined;
}

function fits(first: bigint, hostBits: number, last: bigint): boolean {
  const size = 1n << BigInt(hostBits);
  return first % size === 0n && first + size - 1n <= last;
}
