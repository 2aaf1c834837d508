import { compareBytes } from '../../../common/compareBytes.ts';
import { firstFew } from '../../../common/text/firstFew.ts';
import type { FleetRun, FleetSummary } from '../../../report/fleet/fleetReport.ts';
import type { SenderKind } from '../../packets/senderKinds.ts';
import type { PlacedCell } from './cellsAgree.ts';
import { type FoundOnNodes, foundOnNodes } from './foundOnNodes.ts';
import { endsOf, isByPlace } from './isByPlace.ts';
import { partText, type ReachedNode, type ReachTable } from './reachTable.ts';
import { type CellVariant, type CellVariants, rowVariants } from './rowVariants.ts';

/** How the tables of several nodes differ. */
export interface ReachSummary extends FleetSummary {
  readonly command: 'reach';
  readonly shows: ReachTable['shows'];
  readonly modes: readonly { readonly mode: string | null; readonly nodes: readonly string[] }[];
  /** Nothing shows which endpoints are on some of the nodes: packets of endpoints are not compared there. */
  readonly placesUnknown: boolean;
  /** Packets that most nodes treat otherwise than some. */
  readonly differences: readonly ReachDifference[];
  /** Packets for which each node has endpoints of its own. */
  readonly byPlace: readonly ReachByPlace[];
  /** With --find. */
  readonly found: readonly FoundOnNodes[];
}

export interface ReachDifference {
  readonly service: string | null;
  readonly row: string;
  readonly senders: readonly SenderKind[];
  readonly usual: { readonly says: string; readonly nodes: number };
  readonly others: readonly OtherNodes[];
}

export interface OtherNodes {
  readonly says: string;
  readonly nodes: readonly string[];
}

export interface ReachByPlace {
  readonly service: string | null;
  readonly rows: readonly string[];
  /** Nodes with endpoints of their own. */
  readonly nodes: readonly string[];
  /** What the others do, and how many they are. */
  readonly elsewhere: { readonly says: string; readonly nodes: number } | null;
}

type Judged = ReachedNode & { readonly table: ReachTable };

export function summarizeReach(answers: readonly ReachedNode[], { skipped, shard, exitCode }: FleetRun): ReachSummary {
  const judged = answers.filter((answer): answer is Judged => answer.table !== undefined);
  const shows = judged[0]?.table.shows ?? 'services';
  const isFound = shows === 'found';
  const compared = isFound ? { differences: [], byPlace: [] } : compare(judged);
  const found = isFound ? foundOnNodes(judged) : [];
  const others = isFound
    ? judged.filter(({ table }) => table.rows.length > 0).length
    : new Set(compared.differences.flatMap((one) => one.others.flatMap(({ nodes }) => nodes))).size;
  return {
    command: 'reach',
    shows,
    modes: modesOf(judged),
    placesUnknown: !isFound && judged.some(({ table }) => table.local === null),
    nodes: {
      judged: judged.length,
      same: judged.length - others,
      differ: others,
      unjudged: answers.length - judged.length,
      skipped,
    },
    ...compared,
    found,
    exitCode,
    ...(shard && { shard }),
  };
}

function modesOf(judged: readonly Judged[]): ReachSummary['modes'] {
  const modes = new Map<string | null, string[]>();
  for (const { node, table } of judged) modes.set(table.mode, [...(modes.get(table.mode) ?? []), node]);
  return [...modes].map(([mode, nodes]) => ({ mode, nodes }));
}

function compare(judged: readonly Judged[]): Pick<ReachSummary, 'differences' | 'byPlace'> {
  const tables = judged.map(({ table }) => table);
  const nameOf = (at: number) => judged[at]?.node ?? '';
  const differences = new Map<string, ReachDifference & { senders: SenderKind[] }>();
  const places = new Map<string, ReachByPlace & { rows: string[]; elsewhere: ReachByPlace['elsewhere'] }>();
  for (const cell of rowVariants(tables)) {
    if (cell.variants.length < 2) continue;
    if (isByPlace(cell.variants, tables)) {
      const place = byPlaceOf(cell, nameOf);
      const key = JSON.stringify([place.service ?? cell.row.id, place.nodes]);
      const known = places.get(key);
      if (known === undefined) places.set(key, { ...place, rows: [cell.row.name] });
      else {
        if (!known.rows.includes(cell.row.name)) known.rows.push(cell.row.name);
        // Some senders are on nodes with endpoints alone.
        known.elsewhere ??= place.elsewhere;
      }
      continue;
    }
    const difference = differenceOf(cell, nameOf);
    const { senders: _, ...rest } = difference;
    const key = JSON.stringify(rest);
    const known = differences.get(key);
    if (known === undefined) differences.set(key, { ...difference, senders: [cell.sender] });
    else known.senders.push(cell.sender);
  }
  return {
    differences: [...differences.values()].sort(byService),
    byPlace: [...places.values()].sort(byService),
  };
}

function byService(one: { readonly service: string | null }, other: { readonly service: string | null }): number {
  return compareBytes(one.service ?? '', other.service ?? '');
}

function differenceOf({ row, sender, variants }: CellVariants, nameOf: (at: number) => string): ReachDifference {
  const [usual, ...others] = variants;
  return {
    service: row.service,
    row: row.name,
    senders: [sender],
    usual: { says: variantText(usual), nodes: usual.nodes.length },
    others: others.map((variant) => ({ says: variantText(variant), nodes: variant.nodes.map(nameOf) })),
  };
}

function byPlaceOf({ row, variants }: CellVariants, nameOf: (at: number) => string): Omit<ReachByPlace, 'rows'> {
  // In IPVS mode a node without endpoints sends to those of all nodes.
  const isOwn = (variant: CellVariant) => endsOf(variant).length > 0 && !isShared(variant, variants);
  const without = variants.find((variant) => !isOwn(variant));
  const own = variants.filter(isOwn).flatMap(({ nodes }) => nodes);
  return {
    service: row.service,
    nodes: own.sort((one, other) => one - other).map(nameOf),
    elsewhere: without === undefined ? null : { says: variantText(without), nodes: without.nodes.length },
  };
}

/** Another node has one of the endpoints too. */
function isShared(variant: CellVariant, variants: readonly CellVariant[]): boolean {
  const ends = new Set(endsOf(variant));
  return variants.filter((other) => other !== variant && endsOf(other).some((end) => ends.has(end))).length > 1;
}

/** What packets of the sender meet. */
function variantText({ cell }: CellVariant): string {
  return cell === undefined ? 'no rule names it' : cellText(cell);
}

function cellText({ table, cell: { parts } }: PlacedCell): string {
  const most = Math.max(...parts.map(({ sources }) => sources?.length ?? 0));
  const texts = parts.map((part) => {
    const text = partText(part, table.ends, mostEnds);
    if (part.sources === undefined) return text;
    const isRest = part.sources.length === most && most > mostSources;
    return `${text} from ${isRest ? 'all others' : firstFew(part.sources, mostSources)}`;
  });
  return texts.join('; ');
}

const mostEnds = 8;
const mostSources = 4;
