/** Built-in chains of a table in the order iptables-save prints them; a table of another name has none. */
export function builtinChains(table: string): readonly string[] {
  return chains.get(table) ?? [];
}

const chains: ReadonlyMap<string, readonly string[]> = new Map([
  ['filter', ['INPUT', 'FORWARD', 'OUTPUT']],
  ['nat', ['PREROUTING', 'INPUT', 'OUTPUT', 'POSTROUTING']],
  ['mangle', ['PREROUTING', 'INPUT', 'FORWARD', 'OUTPUT', 'POSTROUTING']],
  ['raw', ['PREROUTING', 'OUTPUT']],
  ['security', ['INPUT', 'FORWARD', 'OUTPUT']],
]);
