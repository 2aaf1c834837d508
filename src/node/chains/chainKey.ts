/** Which chain, of whatever family: what a finding is about, and what stands on both sides of a comparison. */
export interface ChainKey {
  readonly table: string;
  readonly chain: string;
}

/** The same as a key of a map; it is not taken apart again. */
export function chainKeyText({ table, chain }: ChainKey): string {
  return `${table} ${chain}`;
}
