import type { SenderKind } from '../../packets/senderKinds.ts';
import { cellsAgree, type PlacedCell } from './cellsAgree.ts';
import type { ReachTable, TableRow } from './reachTable.ts';

/** What some nodes do with packets of one kind of sender to one destination. */
export interface CellVariant {
  /** On the first of the nodes; undefined: they have no such row. */
  readonly cell: PlacedCell | undefined;
  /** By their place, ascending. */
  readonly nodes: readonly number[];
}

/** A destination and a sender, with what nodes do; the most frequent comes first. */
export interface CellVariants {
  readonly row: TableRow;
  readonly sender: SenderKind;
  readonly variants: readonly [CellVariant, ...CellVariant[]];
}

/**
 * What nodes do with each kind of packets. A node without such senders says nothing about them; one without the row, though
 * its table has the address family, does not know the destination.
 */
export function* rowVariants(tables: readonly ReachTable[]): Generator<CellVariants> {
  for (const rows of rowsById(tables).values()) {
    const [first] = rows.keys() as MapIterator<TableRow>;
    if (first === undefined) continue;
    const having = new Set([...rows.values()].flat());
    const absent = tables.flatMap(({ families }, at) =>
      !having.has(at) && families.includes(first.family) ? [at] : [],
    );
    const senders = new Set([...rows.keys()].flatMap(({ cells }) => cells.map(({ sender }) => sender)));
    for (const sender of senders) {
      const variants = variantsOf(rows, sender, tables);
      if (absent.length > 0) variants.push({ cell: undefined, nodes: absent });
      variants.sort((one, other) => other.nodes.length - one.nodes.length || at(one) - at(other));
      yield { row: first, sender, variants: variants as [CellVariant, ...CellVariant[]] };
    }
  }
}

function at({ nodes }: CellVariant): number {
  return nodes[0] ?? 0;
}

/** Equal rows are one object where tables share their parts: each is looked at once. */
function rowsById(tables: readonly ReachTable[]): ReadonlyMap<string, ReadonlyMap<TableRow, number[]>> {
  const byId = new Map<string, Map<TableRow, number[]>>();
  for (const [node, { rows }] of tables.entries()) {
    for (const row of rows) {
      let own = byId.get(row.id);
      if (own === undefined) {
        own = new Map();
        byId.set(row.id, own);
      }
      const nodes = own.get(row);
      if (nodes === undefined) own.set(row, [node]);
      else nodes.push(node);
    }
  }
  return byId;
}

function variantsOf(
  rows: ReadonlyMap<TableRow, readonly number[]>,
  sender: SenderKind,
  tables: readonly ReachTable[],
): CellVariant[] {
  const variants: { cell: PlacedCell; nodes: number[] }[] = [];
  for (const [row, nodes] of rows) {
    const cell = row.cells.find((one) => one.sender === sender);
    const [first] = nodes;
    if (cell === undefined || first === undefined) continue;
    const placed = { table: tables[first] as ReachTable, row, cell };
    const known = variants.find((one) => cellsAgree(one.cell, placed));
    if (known === undefined) variants.push({ cell: placed, nodes: [...nodes] });
    else known.nodes = [...known.nodes, ...nodes];
  }
  for (const variant of variants) variant.nodes.sort((one, other) => one - other);
  return variants;
}
