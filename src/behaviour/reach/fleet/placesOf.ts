import { addressOf } from './makeTable.ts';
import type { CellPart, ReachTable } from './reachTable.ts';
import type { CellVariant } from './rowVariants.ts';

/** Nodes that differ only because each sends to endpoints of its own, and the other nodes. */
export interface Places {
  readonly own: readonly number[];
  /** Undefined: every node has endpoints. */
  readonly without: CellVariant | undefined;
  /** The few nodes that do something else. */
  readonly odd: readonly CellVariant[];
}

/**
 * Whether only endpoints of the node itself answer, as with a traffic policy Local: no node is odd then. Where tables show
 * which endpoints are on which node, this is checked; elsewhere it is taken for so if nodes share no endpoint and the others
 * have none, or all.
 */
export function placesOf(variants: readonly CellVariant[], tables: readonly ReachTable[]): Places | undefined {
  if (!variants.some(isAnswered)) return undefined;
  const isShown = variants.every(({ nodes }) => nodes.every((node) => tables[node]?.local !== null));
  if (isShown) return placesShown(variants, tables);
  return variants.some(({ cell }) => cell === undefined) ? undefined : placesGuessed(variants);
}

/** Nodes with endpoints send to all of these alone; nodes without any do one thing. */
function placesShown(variants: readonly CellVariant[], tables: readonly ReachTable[]): Places | undefined {
  const all = [...new Set(variants.flatMap(endsOf))];
  const own: CellVariant[] = [];
  const without: CellVariant[] = [];
  const odd: CellVariant[] = [];
  for (const { cell, nodes } of variants) {
    const ends = new Set(endsOf({ cell, nodes }));
    const [fitting, lacking, others]: [number[], number[], number[]] = [[], [], []];
    for (const node of nodes) {
      const local = localAmong(all, tables[node]);
      const isOwn = local.length === ends.size && local.every((address) => ends.has(address));
      if (cell === undefined) others.push(node);
      else if (local.length === 0) lacking.push(node);
      else (isOwn ? fitting : others).push(node);
    }
    if (fitting.length > 0) own.push({ cell, nodes: fitting });
    if (lacking.length > 0) without.push({ cell, nodes: lacking });
    if (others.length > 0) odd.push({ cell, nodes: others });
  }
  // The most frequent; of equally many those that reach nothing.
  without.sort(
    (one, other) => other.nodes.length - one.nodes.length || Number(isAnswered(one)) - Number(isAnswered(other)),
  );
  const [rest, ...strays] = without;
  const found = divided(own, rest, [...odd, ...strays]);
  const count = (list: readonly CellVariant[]) => list.reduce((sum, { nodes }) => sum + nodes.length, 0);
  return found && count(found.odd) < found.own.length + (rest?.nodes.length ?? 0) ? found : undefined;
}

const localOf = new WeakMap<readonly string[], ReadonlySet<string>>();

/** Those of the addresses that are on the node. */
function localAmong(addresses: readonly string[], table: ReachTable | undefined): readonly string[] {
  const list = table?.local ?? [];
  let local = localOf.get(list);
  if (local === undefined) {
    local = new Set(list);
    localOf.set(list, local);
  }
  return addresses.filter((address) => local.has(address));
}

/** Endpoints that only one node sends to are its own; all other nodes do one thing. */
function placesGuessed(variants: readonly CellVariant[]): Places | undefined {
  const shared = variants.find((variant) => sendsToAll(variant, others(variants, variant)));
  const own = ownVariants(shared === undefined ? variants : others(variants, shared));
  const without = variants.filter((variant) => !own.includes(variant));
  const [rest, ...more] = without;
  const isLikely = rest === undefined ? own.length > 2 : own.length > 1 || lacksLocal(rest, own);
  if (!isLikely || more.length > 0 || (rest !== undefined && isAnswered(rest) && rest !== shared)) return undefined;
  return divided(own, rest, []);
}

function others(variants: readonly CellVariant[], one: CellVariant): readonly CellVariant[] {
  return variants.filter((variant) => variant !== one);
}

function divided(
  own: readonly CellVariant[],
  rest: CellVariant | undefined,
  odd: readonly CellVariant[],
): Places | undefined {
  if (own.length === 0) return undefined;
  // Without endpoints of its own, a node in IPVS mode sends to those of other nodes.
  if (rest !== undefined && isAnswered(rest) && !(own.length > 1 && isPartOf(rest, own))) return undefined;
  return { own: own.flatMap(({ nodes }) => nodes).sort((one, other) => one - other), without: rest, odd };
}

/** All of its endpoints are among theirs: those on their way out answer on their own nodes alone. */
function isPartOf(rest: CellVariant, own: readonly CellVariant[]): boolean {
  const all = new Set(own.flatMap(endsOf));
  return endsOf(rest).every((end) => all.has(end));
}

/** It has the endpoints of all other nodes, and no two of these have one in common. */
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

/** What all do, as at an address of the node where no node port answers, is not about endpoints. */
function lacksLocal({ cell }: CellVariant, own: readonly CellVariant[]): boolean {
  const common = ({ says, ends }: CellPart) =>
    ends === undefined && own.every((variant) => variant.cell?.cell.parts.some((one) => one.says === says));
  const parts = (cell?.cell.parts ?? []).filter((part) => !common(part));
  return parts.length > 0 && parts.every(({ isForLackOfLocal }) => isForLackOfLocal === true);
}

/** The addresses of the endpoints that answer. */
function endsOf({ cell }: CellVariant): readonly string[] {
  const lists = (cell?.cell.parts ?? []).flatMap(({ ends }) => (ends === undefined ? [] : [ends]));
  return [...new Set(lists.flatMap((list) => (cell?.table.ends[list] ?? []).map(addressOf)))];
}
