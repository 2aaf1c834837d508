import { addressOf } from './makeTable.ts';
import type { ReachTable } from './reachTable.ts';
import type { CellVariant } from './rowVariants.ts';

/** Nodes that differ only because each sends to endpoints of its own, and the other nodes. */
export interface Places {
  readonly own: readonly number[];
  /** Undefined: every node has endpoints. */
  readonly without: CellVariant | undefined;
}

/**
 * Whether only endpoints of the node itself answer, as with a traffic policy Local: no node is odd then. Where tables show
 * which endpoints are on which node, this is checked; elsewhere it is taken for so if nodes share no endpoint and the others
 * have none, or all.
 */
export function placesOf(variants: readonly CellVariant[], tables: readonly ReachTable[]): Places | undefined {
  if (variants.every((variant) => !isAnswered(variant)) || variants.some(({ cell }) => cell === undefined))
    return undefined;
  const isShown = variants.every(({ nodes }) => nodes.every((node) => tables[node]?.local !== null));
  return isShown ? placesShown(variants, tables) : placesGuessed(variants);
}

/** Nodes with endpoints send to all of these alone; nodes without any do one thing. */
function placesShown(variants: readonly CellVariant[], tables: readonly ReachTable[]): Places | undefined {
  const all = new Set(variants.flatMap(endsOf));
  const own = new Set<CellVariant>();
  const without = new Set<CellVariant>();
  for (const variant of variants) {
    const ends = new Set(endsOf(variant));
    for (const node of variant.nodes) {
      const local = (tables[node]?.local ?? []).filter((address) => all.has(address));
      if (local.length === 0) without.add(variant);
      else if (local.length === ends.size && local.every((address) => ends.has(address))) own.add(variant);
      else return undefined;
    }
  }
  return divided([...own], [...without]);
}

/** Endpoints that only one node sends to are its own; all other nodes do one thing. */
function placesGuessed(variants: readonly CellVariant[]): Places | undefined {
  const shared = variants.find((variant) => sendsToAll(variant, others(variants, variant)));
  const own = ownVariants(shared === undefined ? variants : others(variants, shared));
  const without = variants.filter((variant) => !own.includes(variant));
  const [rest] = without;
  const isLikely = rest === undefined ? own.length > 2 : own.length > 1 || lacksLocal(rest);
  return isLikely ? divided(own, without) : undefined;
}

function others(variants: readonly CellVariant[], one: CellVariant): readonly CellVariant[] {
  return variants.filter((variant) => variant !== one);
}

function divided(own: readonly CellVariant[], without: readonly CellVariant[]): Places | undefined {
  const [rest] = without;
  if (own.length === 0 || without.length > 1) return undefined;
  if (rest !== undefined && isAnswered(rest) && !sendsToAll(rest, own)) return undefined;
  return { own: own.flatMap(({ nodes }) => nodes).sort((one, other) => one - other), without: rest };
}

/** IPVS mode sends to the endpoints of all nodes where there are none. */
function sendsToAll(rest: CellVariant, own: readonly CellVariant[]): boolean {
  const ends = new Set(endsOf(rest));
  const all = own.flatMap(endsOf);
  return own.length > 1 && all.length === ends.size && all.every((end) => ends.has(end));
}

export function isAnswered(variant: CellVariant): boolean {
  return endsOf(variant).length > 0;
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
function endsOf({ cell }: CellVariant): readonly string[] {
  const lists = (cell?.cell.parts ?? []).flatMap(({ ends }) => (ends === undefined ? [] : [ends]));
  return [...new Set(lists.flatMap((list) => (cell?.table.ends[list] ?? []).map(addressOf)))];
}
