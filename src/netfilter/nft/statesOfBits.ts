import type { ConnectionState } from '../meaning.ts';

/** Bits of NF_CT_STATE_BIT, as nft counts them. */
export function statesOfBits(bits: number): ConnectionState[] {
  const all = [
    [1, 'invalid'],
    [2, 'established'],
    [4, 'related'],
    [8, 'new'],
    [64, 'untracked'],
  ] as const;
  return all.filter(([bit]) => (bits & bit) !== 0).map(([, state]) => state);
}
