import type { Network } from './parseNetwork.ts';

/** Two networks that have addresses in common. */
export interface Overlap {
  readonly kind: 'same' | 'contains' | 'overlaps';
  /** Of `contains` the larger one. */
  readonly a: Network;
  readonly b: Network;
}

/** Every pair that shares addresses, in ascending order of their first addresses. */
export function compareNetworks(networks: readonly Network[]): readonly Overlap[] {
  const sorted = [...networks].sort(compare);
  const found: Overlap[] = [];
  let open: Network[] = [];
  for (const network of sorted) {
    open = open.filter(({ family, range }) => family === network.family && range.last >= network.range.first);
    for (const other of open) found.push(overlapOf(other, network));
    open.push(network);
  }
  return found;
}

/** Earlier ones first, then larger ones. */
function compare(a: Network, b: Network): number {
  if (a.family !== b.family) return a.family === 'ipv4' ? -1 : 1;
  if (a.range.first !== b.range.first) return a.range.first < b.range.first ? -1 : 1;
  return a.range.last > b.range.last ? -1 : a.range.last < b.range.last ? 1 : 0;
}

function overlapOf(a: Network, b: Network): Overlap {
  if (a.range.first === b.range.first && a.range.last === b.range.last) return { kind: 'same', a, b };
  return { kind: b.range.last <= a.range.last ? 'contains' : 'overlaps', a, b };
}
