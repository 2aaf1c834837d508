import type { Family } from '../addresses/family.ts';
import { formatIp } from '../addresses/ip.ts';
import type { ValueRange } from './valueRange.ts';

/** A network: its first address, and how many bits all its addresses share. */
export interface Prefix {
  readonly address: string;
  readonly length: number;
}

/** The fewest networks that make up a range of addresses, in ascending order. */
export function prefixesOf({ first, last }: ValueRange, family: Family): readonly Prefix[] {
  return family === 'ipv4' ? ipv4Prefixes(Number(first), Number(last)) : ipv6Prefixes(BigInt(first), BigInt(last));
}

/** `10.0.0.0/8`, `10.0.0.1/32`. */
export function prefixText({ address, length }: Prefix): string {
  return `${address}/${length}`;
}

/** `10.0.0.0/8`, `10.0.0.1`. */
export function networkText(prefix: Prefix, family: Family): string {
  return prefix.length === (family === 'ipv4' ? 32 : 128) ? prefix.address : prefixText(prefix);
}

/** Of numbers, which are many times as fast. */
function ipv4Prefixes(first: number, last: number): readonly Prefix[] {
  const prefixes: Prefix[] = [];
  for (let at = first; at <= last; ) {
    let size = 1;
    let length = 32;
    while (length > 0 && at % (size * 2) === 0 && at + size * 2 - 1 <= last) {
      size *= 2;
      length -= 1;
    }
    prefixes.push({ address: formatIp({ family: 'ipv4', value: at }), length });
    at += size;
  }
  return prefixes;
}

function ipv6Prefixes(first: bigint, last: bigint): readonly Prefix[] {
  const prefixes: Prefix[] = [];
  for (let at = first; at <= last; ) {
    let size = 1n;
    let length = 128;
    while (length > 0 && at % (size * 2n) === 0n && at + size * 2n - 1n <= last) {
      size *= 2n;
      length -= 1;
    }
    prefixes.push({ address: formatIp({ family: 'ipv6', value: at }), length });
    at += size;
  }
  return prefixes;
}
