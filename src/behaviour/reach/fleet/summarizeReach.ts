import { compareBytes } from '../../../common/compareBytes.ts';
import { firstFew } from '../../../common/text/firstFew.ts';
import type { FleetRun, FleetSummary } from '../../../report/fleet/fleetReport.ts';
import { serviceOfPort } from '../../../seen/names/serviceOfPort.ts';
import type { SenderKind } from '../../packets/senderKinds.ts';
import type { PlacedCell } from './cellsAgree.ts';
import { type FoundOnNodes, foundOnNodes } from './foundOnNodes.ts';
import { isAnswered, type Places, placesOf } from './placesOf.ts';
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
  /** Packets that nodes treat otherwise because of where they are. */
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

/** No node is odd: what answers depends on where a node is. */
export interface ReachByPlace {
  readonly service: string | null;
  readonly rows: readonly string[];
  /** Only endpoints of the node itself answer, as with a traffic policy Local; or those that hints give to it. */
  readonly reason: 'local' | 'hints';
  readonly parts: readonly OtherNodes[];
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
  for (const { node, table } of judged) {
    const known = modes.get(table.mode);
    if (known === undefined) modes.set(table.mode, [node]);
    else known.push(node);
  }
  return [...modes].map(([mode, nodes]) => ({ mode, nodes }));
}

function compare(judged: readonly Judged[]): Pick<ReachSummary, 'differences' | 'byPlace'> {
  const tables = judged.map(({ table }) => table);
  const nameOf = (at: number) => judged[at]?.node ?? '';
  const hinted = new Set(tables.flatMap((table) => table.hinted));
  const differences: ReachDifference[] = [];
  const places: ReachByPlace[] = [];
  for (const cell of rowVariants(tables)) {
    if (cell.variants.length < 2) continue;
    const byHints = hintedPlace(cell, hinted, nameOf);
    const local = byHints === undefined ? placesOf(cell.variants, tables) : undefined;
    const place = local === undefined ? byHints : localPlace(cell, local, nameOf);
    if (place !== undefined) places.push(place);
    if (local !== undefined && local.odd.length > 0) differences.push(oddAmongPlaces(cell, local, nameOf));
    if (place === undefined) differences.push(differenceOf(cell, nameOf));
  }
  return { differences: joinedDifferences(differences), byPlace: joinedPlaces(places) };
}

/** Senders of one kind and another that meet the same. */
function joinedDifferences(all: readonly ReachDifference[]): readonly ReachDifference[] {
  const joined = new Map<string, ReachDifference & { readonly senders: SenderKind[] }>();
  for (const difference of all) {
    const { senders, ...rest } = difference;
    const key = JSON.stringify(rest);
    const known = joined.get(key);
    if (known === undefined) joined.set(key, { ...difference, senders: [...senders] });
    else known.senders.push(...senders);
  }
  return [...joined.values()].sort(byService);
}

/** Rows of one Service port. The nodes with endpoints are the same for all senders; some senders are on these alone. */
function joinedPlaces(all: readonly ReachByPlace[]): readonly ReachByPlace[] {
  const joined = new Map<string, ReachByPlace & { readonly rows: string[]; parts: readonly OtherNodes[] }>();
  for (const place of all) {
    const { service, rows, reason, parts } = place;
    const key = JSON.stringify([service ?? rows, reason, parts[0]?.nodes]);
    const known = joined.get(key);
    if (known === undefined) joined.set(key, { ...place, rows: [...rows] });
    else {
      for (const row of rows) if (!known.rows.includes(row)) known.rows.push(row);
      if (parts.length > known.parts.length) known.parts = parts;
    }
  }
  return [...joined.values()].sort(byService);
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

function localPlace({ row }: CellVariants, { own, without }: Places, nameOf: (at: number) => string): ReachByPlace {
  const rest = without && { says: variantText(without), nodes: without.nodes.map(nameOf) };
  const parts = [{ says: ownEndpoints, nodes: own.map(nameOf) }, ...(rest ? [rest] : [])];
  return { service: row.service, rows: [row.name], reason: 'local', parts };
}

/** A node that sends elsewhere, where others send to endpoints of their own. */
function oddAmongPlaces(
  { row, sender }: CellVariants,
  { own, without, odd }: Places,
  nameOf: (at: number) => string,
): ReachDifference {
  const rest = without === undefined ? '' : `, or without any: ${variantText(without)}`;
  return {
    service: row.service,
    row: row.name,
    senders: [sender],
    usual: { says: `${ownEndpoints}${rest}`, nodes: own.length + (without?.nodes.length ?? 0) },
    others: odd.map((variant) => ({ says: variantText(variant), nodes: variant.nodes.map(nameOf) })),
  };
}

const ownEndpoints = 'endpoints of their own';

/** Hints give each node some of the endpoints: those of its zone, or its own. */
function hintedPlace(
  { row, variants }: CellVariants,
  hinted: ReadonlySet<string>,
  nameOf: (at: number) => string,
): ReachByPlace | undefined {
  if (row.service === null || !hinted.has(serviceOfPort(row.service)) || !variants.every(isAnswered)) return undefined;
  const parts = variants.map((variant) => ({ says: variantText(variant), nodes: variant.nodes.map(nameOf) }));
  return { service: row.service, rows: [row.name], reason: 'hints', parts };
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
