import { type AddressMap, createAddressMap } from './addressMap.ts';
import { createPseudonyms, type Pseudonyms } from './pseudonyms.ts';

/** What stands for what in one snapshot. */
export interface Redaction {
  readonly names: Pseudonyms;
  readonly addresses: AddressMap;
  /** Hashes in names of chains. */
  readonly hashes: Map<string, string>;
  /** Never written down. */
  readonly secret: string;
}

export function newRedaction(secret: string): Redaction {
  return { names: createPseudonyms(), addresses: createAddressMap(secret), hashes: new Map(), secret };
}
