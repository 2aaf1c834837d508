/**
 * Identifies a chain regardless of its family: the chain that a finding is about, or that both sides of a comparison
 * have.
 */
export interface ChainKey {
  readonly table: string;
  readonly chain: string;
}

/** The same as a key of a map; nothing splits it again. */
export function chainKeyText({ table, chain }: ChainKey): string {
  return `${table} ${chain}`;
}
