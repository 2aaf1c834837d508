import { count } from '../../../common/text/count.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import { firstFew } from '../../../common/text/firstFew.ts';
import type { FleetContext } from '../../../report/fleet/fleetReport.ts';
import { countsLine, nodesText, unjudgedLines } from '../../../report/fleet/fleetWords.ts';
import type { ReportStyle } from '../../../report/reportStyle.ts';
import type { FoundOnNodes } from './foundOnNodes.ts';
import type { ReachedNode } from './reachTable.ts';
import type { ReachByPlace, ReachDifference, ReachSummary } from './summarizeReach.ts';

/** The report about many nodes for people: counts, which nodes differ and for which senders, then nodes that were not judged. */
export function reachFleetText(summary: ReachSummary, answers: readonly ReachedNode[], context: FleetContext): string {
  const { style } = context;
  const isAlike = summary.nodes.differ === 0 && summary.nodes.unjudged === 0;
  return [
    `${style.summary(countsLine(summary, countParts(summary)), isAlike)}\n`,
    ...(summary.shows === 'found' ? foundLines(summary.found, context) : tableLines(summary, answers, context)),
    ...answers.filter(({ state }) => state === 'unjudged').flatMap((answer) => [...unjudgedLines(answer, style)]),
  ].join('');
}

function countParts({ nodes: { same, differ }, shows }: ReachSummary): readonly string[] {
  if (shows === 'found') return [`${differ} with such packets`, `${same} without`];
  return [`${same} alike`, ...(differ > 0 ? [`${differ} ${differ === 1 ? 'differs' : 'differ'} from most`] : [])];
}

function* foundLines(
  found: readonly FoundOnNodes[],
  { style, isVerbose, limit = mostRows }: FleetContext,
): Iterable<string> {
  if (found.length === 0) yield '\nnothing found\n';
  const shown = isVerbose ? found : found.slice(0, limit);
  for (const { service, row, sender, says, nodes, packet } of shown) {
    const about = service === null ? '' : `${escapeText(service)}  `;
    yield `\n${style.subject(`${about}${escapeText(row)}`)} from ${senderText(sender)}: ${nodesText(nodes.map(escapeText))}\n`;
    yield `  ${escapeText(says)}\n  on ${escapeText(nodes[0] ?? '')}: k8snet trace ${escapeText(packet)}\n`;
  }
  if (found.length > shown.length) yield `\n${leftText(found.length - shown.length, 'class', 'classes')}\n`;
}

function* tableLines(summary: ReachSummary, answers: readonly ReachedNode[], context: FleetContext): Iterable<string> {
  const { differences, byPlace, nodes, modes } = summary;
  const { style, isVerbose, limit = mostRows } = context;
  if (modes.length > 1) {
    yield '\nkube-proxy has several modes here; k8snet migrate says what each does otherwise:\n';
    for (const one of modes)
      yield `  ${escapeText(one.mode ?? 'not shown')}: ${nodesText(one.nodes.map(escapeText))}\n`;
  }
  const judged = answers.filter(({ table }) => table !== undefined);
  const [first] = judged;
  if (judged.every(({ table }) => table?.rows.length === 0) && first !== undefined) yield* emptyLines(first, style);
  for (const group of byNodes(differences)) {
    yield `\n${style.subject(nodesText(group.nodes.map(escapeText)))}\n`;
    const rows = isVerbose ? group.rows : group.rows.slice(0, limit);
    yield* rowLines(rows, style);
    if (group.rows.length > rows.length) yield `  ${leftText(group.rows.length - rows.length, 'row')}\n`;
  }
  if (byPlace.length > 0) yield* placeLines(byPlace, context);
  const odd = new Set(differences.flatMap(({ others }) => others.flatMap((other) => other.nodes)));
  const same = judged.flatMap(({ node }) => (odd.has(node) ? [] : [escapeText(node)]));
  if (summary.placesUnknown) yield `\n${style.dim(placesNotKnown)}\n`;
  if (nodes.differ > 0 && same.length > 0)
    yield `\n${count(same.length, 'node')} alike: ${firstFew(same, isVerbose ? same.length : 10)}\n`;
}

const placesNotKnown =
  'Packets of endpoints are not compared: which endpoints are on which node, manifests (-f) or facts show.';

/** A name that no node knows is probably misspelled. */
function* emptyLines({ problems, table }: ReachedNode, style: ReportStyle): Iterable<string> {
  if (table?.lacksService !== true) {
    yield '\nno address to reach: the rules name no Service\n';
    return;
  }
  for (const { code, message, hint } of problems) {
    if (code !== 'bad-option') continue;
    yield `\n${escapeText(message)}\n`;
    if (hint !== undefined) yield `  ${style.label('hint:')} ${escapeText(hint)}\n`;
  }
}

interface RowOnNodes extends Pick<ReachDifference, 'service' | 'row' | 'senders'> {
  readonly there: string;
  readonly usual: ReachDifference['usual'];
}

interface GroupOfNodes {
  readonly nodes: readonly string[];
  readonly rows: readonly RowOnNodes[];
}

/** Differences of the same nodes stand together; those of the fewest nodes come first. */
function byNodes(differences: readonly ReachDifference[]): readonly GroupOfNodes[] {
  const groups = new Map<string, { readonly nodes: readonly string[]; readonly rows: RowOnNodes[] }>();
  for (const { service, row, senders, usual, others } of differences) {
    for (const { says, nodes } of others) {
      const key = JSON.stringify(nodes);
      const entry = { service, row, senders, there: says, usual };
      const known = groups.get(key);
      if (known === undefined) groups.set(key, { nodes, rows: [entry] });
      else known.rows.push(entry);
    }
  }
  return [...groups.values()].sort((one, other) => one.nodes.length - other.nodes.length);
}

function* rowLines(rows: readonly RowOnNodes[], style: ReportStyle): Iterable<string> {
  let before: string | null | undefined;
  for (const { service, row, senders, there, usual } of rows) {
    if (service !== before) yield `  ${style.id(service === null ? 'other addresses' : escapeText(service))}\n`;
    before = service;
    yield `    ${escapeText(row)} from ${senders.map(senderText).join(', ')}: ${escapeText(there)}\n`;
    yield `      ${style.dim(`on ${count(usual.nodes, 'other')}:`)} ${escapeText(usual.says)}\n`;
  }
}

function* placeLines(
  byPlace: readonly ReachByPlace[],
  { style, isVerbose, limit = mostRows }: FleetContext,
): Iterable<string> {
  for (const reason of ['local', 'hints'] as const) {
    const own = byPlace.filter((one) => one.reason === reason);
    if (own.length === 0) continue;
    yield `\n${placeReasons[reason]}\n`;
    const shown = isVerbose ? own : own.slice(0, limit);
    for (const { service, rows, parts } of shown) {
      const name = service === null ? 'other addresses' : escapeText(service);
      const places = parts.map(({ says, nodes }) => `${escapeText(says)} on ${nodesText(nodes.map(escapeText))}`);
      yield `  ${style.id(name)} (${rows.map(escapeText).join(', ')}): ${places.join('; ')}\n`;
    }
    if (own.length > shown.length) yield `  ${leftText(own.length - shown.length, 'Service port')}\n`;
  }
}

const placeReasons: Readonly<Record<ReachByPlace['reason'], string>> = {
  local: 'Only endpoints of the node itself answer, as with a traffic policy Local:',
  hints: 'Hints say which endpoints answer on which node:',
};

function senderText(sender: string): string {
  return sender === 'node' ? 'the node' : escapeText(sender);
}

function leftText(left: number, what: string, plural?: string): string {
  return `and ${count(left, `more ${what}`, plural === undefined ? undefined : `more ${plural}`)} (--limit, or -v for all)`;
}

const mostRows = 20;
