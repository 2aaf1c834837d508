import { addTo } from '../../../common/addTo.ts';
import { count } from '../../../common/text/count.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import { firstFew } from '../../../common/text/firstFew.ts';
import type { ReportStyle } from '../../reportStyle.ts';
import type { FleetContext } from '../fleetReport.ts';
import { countsLine, nodeHeading, nodesText, unjudgedLines } from '../fleetWords.ts';
import type { FindingGroup, FindingsSummary, NodeAnswer } from './nodeAnswer.ts';

/** The report about many nodes for people: counts, findings grouped over nodes, then each node with findings. */
export function* findingsText(
  summary: FindingsSummary,
  answers: readonly NodeAnswer[],
  { style, isVerbose = false }: FleetContext,
): Iterable<string> {
  const { groups, unexplained } = summary;
  yield `${style.summary(countsLine(summary, countParts(summary)), summary.exitCode === 0)}\n`;
  const failing = groups.filter(({ fails }) => fails);
  const remarks = groups.filter(({ fails }) => !fails);
  if (failing.length + unexplained.length > 0) yield '\n';
  for (const group of isVerbose ? failing : failing.slice(0, mostGroups)) yield* groupLines(group, style);
  if (!isVerbose && failing.length > mostGroups)
    yield `${style.dim(`and ${count(failing.length - mostGroups, 'more finding')} (-v prints all)`)}\n`;
  if (unexplained.length > 0)
    yield `${style.severity('error', 'error')} rules differ, and no finding says why: ${named(unexplained)}\n`;
  if (remarks.length > 0) yield `\n${remarksLine(remarks, style)}\n`;
  const alike = isVerbose ? [] : nodesAlike(answers);
  const told = new Set(alike.flatMap(({ others }) => others));
  for (const answer of answers) {
    if (answer.state === 'unjudged') yield* unjudgedLines(answer, style);
    else if ((answer.state === 'differs' && !told.has(answer.node)) || isVerbose)
      yield `\n${nodeHeading(answer, style)}\n${answer.body}`;
  }
  if (alike.length > 0) yield '\n';
  for (const { first, others } of alike)
    yield `the same findings as on ${escapeText(first)}: ${named(others)} (-v prints each)\n`;
  const same = answers.filter(({ state }) => state === 'same').map(({ node }) => node);
  if (same.length > 0 && !isVerbose) {
    const are = `${same.length === 1 ? 'node is' : 'nodes are'} ${asIs(same.length)}`;
    yield `\n${same.length} ${are}: ${firstFew(same.map(escapeText), 10)}${same.length > 10 ? ' (-v names all)' : ''}\n`;
    yield* notComparedLines(answers);
  }
}

/** Nodes with the same findings as another one, if they are many: a fault of the cluster shows on all of them. */
function nodesAlike(
  answers: readonly NodeAnswer[],
): readonly { readonly first: string; readonly others: readonly string[] }[] {
  const groups = new Map<string, string[]>();
  for (const { state, node, findings, changes } of answers) {
    // Only the part of the node itself shows the rules that no finding is about.
    if (state !== 'differs' || changes > 0) continue;
    const failing = findings.filter(({ fails }) => fails);
    addTo(groups, JSON.stringify(failing.map(({ id, service, seen }) => [id, service, seen])), node);
  }
  return [...groups.values()].flatMap(([first = '', ...others]) =>
    others.length < fewNodes ? [] : [{ first, others }],
  );
}

const fewNodes = 3;

/** What was left out on nodes that look as they should: their own part is not shown. */
function* notComparedLines(answers: readonly NodeAnswer[]): Iterable<string> {
  const lacking = answers.flatMap(({ state, node, summary }) => {
    const services = summary?.notCompared ?? 0;
    return state === 'same' && services > 0 ? [{ node, services }] : [];
  });
  if (lacking.length === 0) return;
  const counts = new Set(lacking.map(({ services }) => services));
  const services = `${counts.size > 1 ? 'up to ' : ''}${count(Math.max(...counts), 'Service')}`;
  yield `not compared: ${services} on ${named(lacking.map(({ node }) => node))} (-v says which, and why)\n`;
}

function asIs(nodes: number): string {
  return nodes === 1 ? 'as it should be' : 'as they should be';
}

/** `197 as they should be, 2 differ`. */
function countParts({ nodes, command }: FindingsSummary): readonly string[] {
  const { same, differ } = nodes;
  const fine = command === 'diff' ? asIs(same) : 'without a problem';
  const bad = command === 'diff' ? (differ === 1 ? 'differs' : 'differ') : 'with problems';
  return [`${same} ${fine}`, ...(differ > 0 ? [`${differ} ${bad}`] : [])];
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

function named(nodes: readonly string[]): string {
  return nodesText(nodes.map(escapeText));
}

const mostGroups = 50;
const longestSeen = 300;
