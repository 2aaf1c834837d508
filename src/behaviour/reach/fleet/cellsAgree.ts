import { cut, union, type ValueSet } from '../../../common/ranges/valueSet.ts';
import { addressPattern } from '../../../netfilter/addressRanges.ts';
import { sourceSays } from '../reachWords.ts';
import { type CellPart, isFarSender, partText, type ReachTable, type TableCell, type TableRow } from './reachTable.ts';

/** A cell of a node's table. */
export interface PlacedCell {
  readonly table: ReachTable;
  readonly row: TableRow;
  readonly cell: TableCell;
}

/**
 * Whether two nodes treat senders of a kind alike. Far senders are compared address by address, as far as both nodes
 * have them: a node is not among its own other nodes, and its Pods are not remote.
 */
export function cellsAgree(one: PlacedCell, other: PlacedCell): boolean {
  const [left, right] = [one.cell.parts, other.cell.parts];
  const isSplit = [...left, ...right].some(({ sources }) => sources !== undefined);
  const textOf = textsWith([...left, ...right].some(({ isAtNode }) => isAtNode === true));
  const textsOf = (placed: PlacedCell) => {
    const texts = placed.cell.parts.map((part) => textOf(part, placed));
    return texts.sort().join('; ');
  };
  if (!isSplit || !isFarSender(one.cell.sender)) return textsOf(one) === textsOf(other);
  let hasCommon = false;
  for (const own of left) {
    const mine = sourcesOf(own, one);
    for (const part of right) {
      if (mine !== undefined && cut(mine, sourcesOf(part, other) ?? mine).inside.length === 0) continue;
      hasCommon = true;
      if (textOf(own, one) !== textOf(part, other)) return false;
    }
  }
  return hasCommon || textsOf(one) === textsOf(other);
}

/** Which source an endpoint sees that is one of the nodes depends on which node is asked. */
function textsWith(hasNode: boolean): (part: CellPart, placed: PlacedCell) => string {
  return (part, { table }) => {
    const isOfSource = hasNode && part.ends !== undefined && sourceSays.has(part.says);
    return partText(isOfSource ? { ...part, says: '' } : part, table.ends, Number.POSITIVE_INFINITY);
  };
}

/** Undefined: every sender of the kind, wherever it is. */
function sourcesOf({ sources }: CellPart, { table, row, cell }: PlacedCell): ValueSet | undefined {
  const texts =
    sources ?? table.senders.find(({ family, sender }) => family === row.family && sender === cell.sender)?.sources;
  return texts && rangesOf(texts);
}

const known = new WeakMap<readonly string[], ValueSet>();

function rangesOf(texts: readonly string[]): ValueSet {
  let set = known.get(texts);
  if (set === undefined) {
    set = union(texts.flatMap((text) => addressPattern(text)?.range ?? []));
    known.set(texts, set);
  }
  return set;
}
