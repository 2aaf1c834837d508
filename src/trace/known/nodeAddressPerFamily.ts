import { familyOf } from '../../common/addresses/ip.ts';
import type { Value } from '../../common/ranges/valueRange.ts';
import { addressValue } from '../../netfilter/addressRanges.ts';

/** One address of the node in each family, IPv4 first: a visible one, otherwise an invented one. */
export function nodeAddressPerFamily(shown: readonly string[]): readonly string[] {
  return madeUp.map((address) => shown.find((ip) => familyOf(ip) === familyOf(address)) ?? address);
}

/** Nothing shows this address of the node. */
export function isMadeUp(address: Value): boolean {
  return madeUp.some((own) => addressValue(own) === address);
}

/** From the ranges for documentation. */
const madeUp = ['192.0.2.10', '2001:db8:c0de::10'] as const;
