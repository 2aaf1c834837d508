import type { NftKey } from '../ast.ts';
import { canonicalAddress } from '../values/address.ts';
import { datatypeOf } from '../values/datatypes.ts';

/** A value as the kernel gives it back: addresses compressed, prefixes masked, protocols named, marks with eight digits. */
export function canonicalValue(type: string | undefined, text: string): string {
  if (type === undefined) {
    return text;
  }
  // Nine of ten values are plain IPv4 addresses.
  const isAddress = type === 'ipv4_addr' || type === 'ipv6_addr';
  if (isAddress && !text.includes('/') && !text.includes('-')) {
    return canonicalAddress(text);
  }
  const datatype = datatypeOf(type);
  const interval = datatype?.interval(text);
  return datatype === undefined || interval === undefined ? text : datatype.format(interval);
}

/** Every part of a key; the same object where nothing changes. */
export function canonicalKey(types: readonly string[], key: NftKey): NftKey {
  for (let at = 0; at < key.length; at += 1) {
    if (canonicalValue(types[at], key[at] ?? '') !== key[at]) {
      return key.map((part, index) => canonicalValue(types[index], part));
    }
  }
  return key;
}
