import type { ConnectionState } from '../meaning.ts';
import { stateBits } from './keyMeaning.ts';

/** Bits of NF_CT_STATE_BIT, as nft counts them. */
export function statesOfBits(bits: number): ConnectionState[] {
  return [...stateBits].filter(([, bit]) => (bits & bit) !== 0).map(([state]) => state as ConnectionState);
}
