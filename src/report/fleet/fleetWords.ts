import { count } from '../../common/text/count.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import type { ReportStyle } from '../reportStyle.ts';
import type { FleetSummary } from './fleetReport.ts';
import type { NodeVerdict } from './nodeVerdict.ts';

/** Words that reports about many nodes share; those that a style takes are safe to print. */

/** `200 nodes (shard 1 of 8): 197 …`: how many were looked at, then the parts; `left`, how many were not. */
export function countsLine({ nodes, shard }: FleetSummary, parts: readonly string[]): string {
  const { judged, unjudged, skipped } = nodes;
  const all = [...parts, ...(unjudged > 0 ? [`${unjudged} not judged`] : [])];
  const left = skipped > 0 ? `; ${count(skipped, 'more node')} not looked at (--fail-fast)` : '';
  const part = shard === undefined ? '' : ` (shard ${shard.index} of ${shard.of})`;
  return `${count(judged + unjudged, 'node')}${part}: ${all.join(', ')}${left}`;
}

/** `n17, n29 and 4 more`; not escaped. */
export function nodesText(nodes: readonly string[]): string {
  return firstFew(nodes, nodes.length <= 4 ? 4 : 2);
}

/** A node, and its path if that says more. */
export function nodeHeading({ node, given }: NodeVerdict, style: ReportStyle): string {
  const path = given === node || given === `node/${node}` ? '' : ` ${style.dim(`(${escapeText(given)})`)}`;
  return `${style.subject(`node ${escapeText(node)}`)}${path}`;
}

/** Why a node was not judged. */
export function* unjudgedLines(answer: NodeVerdict, style: ReportStyle): Iterable<string> {
  yield `\n${nodeHeading(answer, style)}\n`;
  for (const { code, severity, message, hint } of answer.problems) {
    if (severity === 'note') continue;
    yield `  not judged: ${escapeText(message)} (${code})\n`;
    if (hint !== undefined) yield `    ${style.label('hint:')} ${escapeText(hint)}\n`;
  }
}
