import { parseIp, plainIpv4Number } from '../common/addresses/ip.ts';
import { prefixRange } from '../common/ranges/prefixRange.ts';
import type { Value, ValueRange } from '../common/ranges/valueRange.ts';

/** Addresses under a mask: all with `value & mask` in the range. Without a mask the range says it all. */
export interface AddressPattern {
  readonly range: ValueRange;
  /** Only where the mask is no prefix. */
  readonly mask?: Value;
}

/** Reads `10.0.0.1`, `10.0.0.0/8`, `10.0.0.0/255.0.255.0`, `10.0.0.1-10.0.0.9`, `fd00::/8`; undefined: none of these. */
export function addressPattern(text: string): AddressPattern | undefined {
  const slash = text.indexOf('/');
  if (slash === -1) {
    const dash = text.indexOf('-');
    const first = addressValue(dash === -1 ? text : text.slice(0, dash));
    const last = dash === -1 ? first : addressValue(text.slice(dash + 1));
    if (first === undefined || last === undefined || typeof first !== typeof last) return undefined;
    return { range: { first, last } };
  }
  const address = addressValue(text.slice(0, slash));
  const maskText = text.slice(slash + 1);
  if (address === undefined) return undefined;
  const bits = typeof address === 'number' ? 32 : 128;
  if (/^\d{1,3}$/.test(maskText)) {
    const length = Number(maskText);
    return length > bits ? undefined : { range: prefixRange(address, length) };
  }
  const mask = addressValue(maskText);
  if (mask === undefined || typeof mask !== typeof address) return undefined;
  const value = and(address, mask);
  return { range: { first: value, last: value }, mask };
}

/** The number of an address: of IPv4 a number, of IPv6 a bigint. */
export function addressValue(text: string): Value | undefined {
  // Nearly all are, and a large node has a hundred thousand.
  const plain = plainIpv4Number(text);
  if (plain >= 0) return plain;
  const ip = parseIp(text);
  if (ip === undefined) return undefined;
  // ::ffff:1.2.3.4 stays an address of IPv6 in rules.
  return ip.family === 'ipv4' && text.includes(':') ? 0xffff00000000n | BigInt(ip.value) : ip.value;
}

/** Bits of both; numbers are taken as unsigned. */
export function and(value: Value, mask: Value): Value {
  return typeof value === 'number' && typeof mask === 'number' ? (value & mask) >>> 0 : BigInt(value) & BigInt(mask);
}
