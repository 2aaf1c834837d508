import { addressOf } from './makeTable.ts';
import type { ReachTable } from './reachTable.ts';
import type { CellVariant } from './rowVariants.ts';

/**
 * Whether nodes differ only because each sends to endpoints of its own, as with a traffic policy Local: no node is odd then.
 * Where tables show which endpoints are on which node, this is checked; elsewhere it is taken for so if the other nodes say
 * that they have none, or if three nodes or more share no endpoint.
 */
export function isByPlace(variants: readonly CellVariant[], tables: readonly ReachTable[]): boolean {
  if (variants.every((variant) => endsOf(variant).length === 0) || variants.some(({ cell }) => cell === undefined))
    return false;
  const isShown = variants.every(({ nodes }) => nodes.every((node) => tables[node]?.local !== null));
  return isShown ? isByPlaceShown(variants, tables) : isByPlaceGuessed(variants);
}

/** Nodes with endpoints send to all of these alone; nodes without any do one thing. */
function isByPlaceShown(variants: readonly CellVariant[], tables: readonly ReachTable[]): boolean {
  const all = new Set(variants.flatMap(endsOf));
  const own = new Set<CellVariant>();
  const without = new Set<CellVariant>();
  for (const variant of variants) {
    const ends = new Set(endsOf(variant));
    for (const node of variant.nodes) {
      const local = (tables[node]?.local ?? []).filter((address) => all.has(address));
      if (local.length === 0) without.add(variant);
      else if (local.length === ends.size && local.every((address) => ends.has(address))) own.add(variant);
      else return false;
    }
  }
  return isDivided([...own], [...without]);
}

/** Endpoints that only one node sends to are its own; all other nodes do one thing. */
function isByPlaceGuessed(variants: readonly CellVariant[]): boolean {
  const own = ownVariants(variants);
  const without = variants.filter((variant) => !own.includes(variant));
  return isDivided(own, without) && (without.length > 0 || own.length > 2);
}

function isDivided(own: readonly CellVariant[], without: readonly CellVariant[]): boolean {
  const [rest] = without;
  if (own.length === 0 || without.length > 1) return false;
  return rest === undefined || lacksLocal(rest) || sendsToAll(rest, own);
}

/** IPVS mode sends to the endpoints of all nodes where there are none. */
function sendsToAll(rest: CellVariant, own: readonly CellVariant[]): boolean {
  const ends = new Set(endsOf(rest));
  const all = own.flatMap(endsOf);
  return own.length > 1 && all.length === ends.size && all.every((end) => ends.has(end));
}

/** On one node each, with endpoints that no other has. */
function ownVariants(variants: readonly CellVariant[]): readonly CellVariant[] {
  const single = variants.filter((variant) => variant.nodes.length === 1 && endsOf(variant).length > 0);
  const counts = new Map<string, number>();
  for (const end of single.flatMap(endsOf)) counts.set(end, (counts.get(end) ?? 0) + 1);
  return single.filter((variant) => endsOf(variant).every((end) => counts.get(end) === 1));
}

function lacksLocal({ cell }: CellVariant): boolean {
  return cell?.cell.parts.every(({ isForLackOfLocal }) => isForLackOfLocal === true) === true;
}

/** The addresses of the endpoints that answer. */
export function endsOf({ cell }: CellVariant): readonly string[] {
  const lists = (cell?.cell.parts ?? []).flatMap(({ ends }) => (ends === undefined ? [] : [ends]));
  return [...new Set(lists.flatMap((list) => (cell?.table.ends[list] ?? []).map(addressOf)))];
}
