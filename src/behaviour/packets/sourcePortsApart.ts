import { hasValue, type ValueSet } from '../../common/ranges/valueSet.ts';
import type { Distribution } from '../outcome/distribution.ts';
import { cutCells } from './cutCells.ts';

/** One source port of each kind that the rules distinguish; empty if they distinguish none. */
export function sourcePortsApart(distributions: readonly Distribution[]): readonly number[] {
  const parts = new Set(distributions.flatMap(({ sourcePorts }) => sourcePorts ?? []));
  if (parts.size === 0) return [];
  let cells: readonly ValueSet[] = [[{ first: 1, last: 65_535 }]];
  for (const part of parts) cells = cutCells(cells, part);
  return cells.map(usualPort);
}

/** A port that clients have, if the set holds one. */
function usualPort(ports: ValueSet): number {
  return hasValue(ports, clientPort) ? clientPort : Number(ports[0]?.first);
}

const clientPort = 40_000;
