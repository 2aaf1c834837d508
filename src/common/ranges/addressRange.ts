import type { Cidr } from '../addresses/cidr.ts';
import type { RangeOf } from './valueRange.ts';

/** Addresses of one family. Those of both families are bigints here: one arithmetic for both. */
export type AddressRange = RangeOf<bigint>;

export function rangeOfCidr(cidr: Cidr): AddressRange {
  return { first: BigInt(cidr.first), last: BigInt(cidr.last) };
}
