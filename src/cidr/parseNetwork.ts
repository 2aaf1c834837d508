import { addressNumber } from '../common/addresses/addressNumber.ts';
import { cidrAddress, parseCidr } from '../common/addresses/cidr.ts';
import type { Family } from '../common/addresses/family.ts';
import { hostCidr } from '../common/addresses/hostCidr.ts';
import { canonicalIp, familyOf } from '../common/addresses/ip.ts';
import { maskLength } from '../common/addresses/maskLength.ts';
import { type AddressRange, rangeOfCidr } from '../common/ranges/addressRange.ts';
import { prefixesOf, prefixText } from '../common/ranges/prefixesOf.ts';

/** Addresses of one family that follow each other, as a person gave them. */
export interface Network {
  readonly given: string;
  readonly family: Family;
  readonly range: AddressRange;
  /** The fewest prefixes that make it up, in ascending order. */
  readonly prefixes: readonly string[];
  /** The address that stands inside the network: `222.80.18.18` of `222.80.18.18/25`; undefined: none. */
  readonly insideAddress: string | undefined;
}

/** Reads `10.0.0.0/8`, `10.0.0.0/255.0.0.0`, `10.0.0.5`, or `10.0.0.0-10.0.1.255`. Undefined: none of these. */
export function parseNetwork(given: string): Network | undefined {
  const [first = '', last, ...rest] = given.split('-').map((part) => part.trim());
  if (rest.length > 0) return undefined;
  if (last !== undefined) return readRange(given, first, last);
  const text = withLength(first);
  const cidr = parseCidr(text.includes('/') ? text : hostCidr(text));
  if (cidr === undefined) return undefined;
  const address = text.includes('/') ? cidrAddress(text) : undefined;
  const isInside = address !== undefined && `${address}/${cidr.length}` !== cidr.text;
  return {
    given,
    family: cidr.family,
    range: rangeOfCidr(cidr),
    prefixes: [cidr.text],
    insideAddress: isInside ? address : undefined,
  };
}

/** A mask in dots is as long as its ones, which stand in front. */
function withLength(text: string): string {
  const [address = '', mask = '', ...more] = text.split('/');
  if (familyOf(mask) !== 'ipv4' || familyOf(address) !== 'ipv4' || more.length > 0) return text;
  const length = maskLength(mask);
  return length === undefined ? text : `${address}/${length}`;
}

function readRange(given: string, firstText: string, lastText: string): Network | undefined {
  const family = familyOf(firstText);
  const ends = [firstText, lastText].map((text) => family && addressNumber(canonicalIp(text) ?? '', family));
  const [first, last] = ends;
  if (family === undefined || first === undefined || last === undefined || last < first) return undefined;
  const range = { first, last };
  return { given, family, range, prefixes: prefixesOf(range, family).map(prefixText), insideAddress: undefined };
}
