import type { Table } from '../netfilter/iptables/ast.ts';

/** How many of some lines stand in each table of a text: a table goes from its first line to that of the next one. */
export function damagesByTable(tables: readonly Table[], lines: readonly number[]): ReadonlyMap<Table, number> {
  const damages = new Map<Table, number>();
  if (lines.length === 0) return damages;
  const starts = tables
    .map((table) => ({ table, first: firstLine(table) }))
    .filter(({ first }) => first > 0)
    .sort((a, b) => a.first - b.first);
  for (const line of lines) {
    const { table } = starts.findLast(({ first }) => first <= line) ?? starts[0] ?? {};
    if (table !== undefined) damages.set(table, (damages.get(table) ?? 0) + 1);
  }
  return damages;
}

/** 0: it shows none. */
function firstLine({ chains, rules }: Table): number {
  let first = 0;
  for (const { line = 0 } of [...chains, ...rules]) if (line > 0 && (first === 0 || line < first)) first = line;
  return first;
}
