import { mergeRanges } from '../../../common/ranges/mergeRanges.ts';
import type { RangeOf } from '../../../common/ranges/valueRange.ts';
import { type AddressBytes, formatAddress, parseAddress } from './address.ts';

/** First and last value, as words of bytes of one length. */
export type Interval = RangeOf<string>;

/** `10.0.0.0/8` (host bits are ignored, as nft does), `10.0.0.1-10.0.0.9`, `10.0.0.1`. */
export function parseAddressInterval(text: string): Interval | undefined {
  const slash = text.indexOf('/');
  if (slash >= 0) {
    return parsePrefix(text.slice(0, slash), text.slice(slash + 1));
  }
  const dash = text.indexOf('-');
  const first = parseAddress(dash < 0 ? text : text.slice(0, dash));
  const last = dash < 0 ? first : parseAddress(text.slice(dash + 1));
  return first === undefined || last === undefined || first.length !== last.length || first > last
    ? undefined
    : { first, last };
}

/** As nft prints it: an address, a prefix if it is exactly one, otherwise `first-last`. */
export function formatAddressInterval({ first, last }: Interval): string {
  if (first === last) {
    return formatAddress(first);
  }
  const length = prefixLength(first, last);
  return length === undefined ? `${formatAddress(first)}-${formatAddress(last)}` : `${formatAddress(first)}/${length}`;
}

/** Sorted; overlapping and adjacent intervals become one, as nft 1.0.6 does in anonymous sets. */
export function mergeIntervals(intervals: readonly Interval[]): readonly Interval[] {
  return mergeRanges(intervals, (last, first) => first === successor(last));
}

function parsePrefix(address: string, lengthText: string): Interval | undefined {
  const bytes = parseAddress(address);
  const length = /^\d{1,3}$/.test(lengthText) ? Number(lengthText) : Number.NaN;
  if (bytes === undefined || !(length <= bytes.length * 8)) {
    return undefined;
  }
  let first = '';
  let last = '';
  for (let i = 0; i < bytes.length; i += 1) {
    const hostBits = 0xff >> Math.min(8, Math.max(0, length - i * 8));
    const byte = bytes.charCodeAt(i);
    first += String.fromCharCode(byte & ~hostBits & 0xff);
    last += String.fromCharCode(byte | hostBits);
  }
  return { first, last };
}

/** The prefix length, if the interval is one prefix. */
function prefixLength(first: AddressBytes, last: AddressBytes): number | undefined {
  let length = 0;
  let hasEnded = false;
  for (let i = 0; i < first.length; i += 1) {
    const low = first.charCodeAt(i);
    const high = last.charCodeAt(i);
    const hostBits = low ^ high;
    // Host bits must be the lowest ones, zero in the first address, one in the last.
    if ((hostBits & (hostBits + 1)) !== 0 || (low & hostBits) !== 0 || (hasEnded && hostBits !== 0xff)) {
      return undefined;
    }
    const bits = 8 - (32 - Math.clz32(hostBits));
    length += hasEnded ? 0 : bits;
    hasEnded = hasEnded || bits < 8;
  }
  return length;
}

/** The next value; undefined behind the last one there is. */
function successor(bytes: string): string | undefined {
  for (let i = bytes.length - 1; i >= 0; i -= 1) {
    const byte = bytes.charCodeAt(i);
    if (byte < 0xff) {
      return bytes.slice(0, i) + String.fromCharCode(byte + 1) + '\0'.repeat(bytes.length - i - 1);
    }
  }
  return undefined;
}
