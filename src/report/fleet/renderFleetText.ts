import { count } from '../../common/text/count.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import type { ReportStyle } from '../reportStyle.ts';
import type { FindingGroup, FleetSummary, NodeAnswer } from './fleetReport.ts';

/**
 * The report about many nodes for people: counts, findings grouped over nodes, then each node with findings. `bodyOf`
 * gives the text for one node.
 */
export function* renderFleetText(
  summary: FleetSummary,
  answers: readonly NodeAnswer[],
  { style, isVerbose = false }: { readonly style: ReportStyle; readonly isVerbose?: boolean | undefined },
): Iterable<string> {
  const { groups, unexplained } = summary;
  yield `${style.summary(countsLine(summary), summary.exitCode === 0)}\n`;
  const failing = groups.filter(({ fails }) => fails);
  const remarks = groups.filter(({ fails }) => !fails);
  if (failing.length + unexplained.length > 0) yield '\n';
  for (const group of isVerbose ? failing : failing.slice(0, mostGroups)) yield* groupLines(group, style);
  if (!isVerbose && failing.length > mostGroups)
    yield `${style.dim(`and ${count(failing.length - mostGroups, 'more finding')} (-v prints all)`)}\n`;
  if (unexplained.length > 0)
    yield `${style.severity('error', 'error')} rules differ, and no finding says why: ${named(unexplained)}\n`;
  if (remarks.length > 0) yield `\n${remarksLine(remarks, style)}\n`;
  for (const answer of answers) {
    if (answer.state === 'unjudged') yield* unjudgedLines(answer, style);
    else if (answer.state === 'differs' || isVerbose)
      yield `\n${style.subject(`node ${escapeText(answer.node)}`)}${calledLine(answer, style)}\n${answer.body}`;
  }
  const same = answers.filter(({ state }) => state === 'same').map(({ node }) => node);
  if (same.length > 0 && !isVerbose) {
    const are = same.length === 1 ? 'node is as it should be' : 'nodes are as they should be';
    yield `\n${same.length} ${are}: ${firstFew(same.map(escapeText), 10)}${same.length > 10 ? ' (-v names all)' : ''}\n`;
  }
}

/** `200 nodes: 197 as they should be, 2 differ, 1 not judged`. */
function countsLine({ nodes, command, shard }: FleetSummary): string {
  const { judged, same, differ, unjudged, skipped } = nodes;
  const fine = command === 'diff' ? 'as they should be' : 'without a problem';
  const bad = command === 'diff' ? (differ === 1 ? 'differs' : 'differ') : 'with problems';
  const parts = [
    `${same} ${fine}`,
    ...(differ > 0 ? [`${differ} ${bad}`] : []),
    ...(unjudged > 0 ? [`${unjudged} not judged`] : []),
  ];
  const left = skipped > 0 ? `; ${count(skipped, 'more node')} not looked at (--fail-fast)` : '';
  const part = shard === undefined ? '' : ` (shard ${shard.index} of ${shard.of})`;
  return `${count(judged + unjudged, 'node')}${part}: ${parts.join(', ')}${left}`;
}

function* groupLines({ id, severity, service, seen, nodes }: FindingGroup, style: ReportStyle): Iterable<string> {
  const about = service === null ? 'the node' : escapeText(service);
  yield `${style.severity(severity, severity)} ${style.id(id)} ${style.subject(about)}: ${named(nodes)}\n`;
  yield `  ${escapeText(seen.length > longestSeen ? `${seen.slice(0, longestSeen)}…` : seen)}\n`;
}

/** By id: intended effects would hide real problems. */
function remarksLine(remarks: readonly FindingGroup[], style: ReportStyle): string {
  const byId = new Map<string, Set<string>>();
  for (const { id, nodes } of remarks) {
    const known = byId.get(id) ?? new Set();
    byId.set(id, known);
    for (const node of nodes) known.add(node);
  }
  const parts = [...byId].map(([id, nodes]) => `${style.id(id)} on ${count(nodes.size, 'node')}`);
  return `remarks: ${parts.join(', ')} (-v prints them)`;
}

function* unjudgedLines(answer: NodeAnswer, style: ReportStyle): Iterable<string> {
  yield `\n${style.subject(`node ${escapeText(answer.node)}`)}${calledLine(answer, style)}\n`;
  for (const { code, severity, message, hint } of answer.problems) {
    if (severity === 'note') continue;
    yield `  not judged: ${escapeText(message)} (${code})\n`;
    if (hint !== undefined) yield `    ${style.label('hint:')} ${escapeText(hint)}\n`;
  }
}

function calledLine({ node, given }: NodeAnswer, style: ReportStyle): string {
  return given === node ? '' : ` ${style.dim(`(${escapeText(given)})`)}`;
}

function named(nodes: readonly string[]): string {
  return firstFew(nodes.map(escapeText), nodes.length <= 4 ? 4 : 2);
}

const mostGroups = 50;
const longestSeen = 300;
