import { compareBytes } from '../../common/compareBytes.ts';
import type { WalkTable } from '../../walk/input/walkInput.ts';

/**
 * Each table of one side with that of the other. Undefined: a side has a table that the other lacks, or has one twice. Those
 * of nft stand in the order in which the kernel asks them, and so must their twins; tables of iptables never share a priority.
 */
export function pairedTables(
  one: readonly WalkTable[],
  other: readonly WalkTable[],
): readonly (readonly [WalkTable, WalkTable])[] | undefined {
  const [own, others] = [inOrder(one), inOrder(other)];
  if (own.length !== others.length || new Set(own.map(headOf)).size !== own.length) return undefined;
  const pairs = own.map((table, at) => [table, others[at] as WalkTable] as const);
  return pairs.every(([table, twin]) => headOf(table) === headOf(twin)) ? pairs : undefined;
}

function inOrder(tables: readonly WalkTable[]): readonly WalkTable[] {
  const ofNft = tables.filter(({ tool }) => tool === 'nft');
  return [...tables.filter(({ tool }) => tool !== 'nft').sort((a, b) => compareBytes(headOf(a), headOf(b))), ...ofNft];
}

function headOf({ tool, backend, family, name, isFragment }: WalkTable): string {
  return [tool, backend, family, name, isFragment].join(' ');
}
