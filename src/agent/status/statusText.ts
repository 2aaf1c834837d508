import { count } from '../../common/text/count.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import type { ClusterStatus, NodeLine } from './clusterStatus.ts';

/** A table of nodes, and below it what differs on which nodes. */
export function statusText({ summary, nodes, findings }: ClusterStatus): string {
  const rows = [head, ...nodes.map((line) => rowOf(line))];
  const widths = head.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const table = rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const remarks = nodes.flatMap(({ node, why, odd }) =>
    [...(why === null ? [] : [why]), ...odd].map((text) => `${node}: ${text}`),
  );
  const groups = findings
    .slice(0, mostShown)
    .flatMap(({ id, severity, service, seen, fix, nodes: where }) => [
      `${severity} ${id}${service === null ? '' : ` ${service}`}: ${seen}`,
      `  on ${firstFew(where, 4)}`,
      `  fix: ${fix}`,
    ]);
  const more = findings.length - mostShown;
  const parts = [
    table,
    remarks,
    more > 0 ? [...groups, `and ${count(more, 'more finding')}; -o json has all`] : groups,
    [summaryLine(summary)],
  ];
  return `${parts
    .filter((part) => part.length > 0)
    .map((part) => part.map(escapeText).join('\n'))
    .join('\n\n')}\n`;
}

const head = [
  'NODE',
  'STATE',
  'MODE',
  'SERVICES',
  'SAME',
  'DIFFER',
  'MISSING',
  'CHANGING',
  'UNEXPECTED',
  'BEHIND',
  'CHECKED',
];
const mostShown = 50;

function rowOf({ node, verdict, mode, services, behindSeconds, checkedSecondsAgo }: NodeLine): readonly string[] {
  const number = (value: number | undefined) => (value === undefined ? '-' : String(value));
  return [
    node,
    { 'in-order': 'in order', differs: 'differs', unknown: 'unknown' }[verdict],
    mode ?? '-',
    number(services?.total),
    number(services?.same),
    number(services?.differs),
    number(services?.missing),
    number(services?.changing),
    number(services?.unexpected),
    behindSeconds === null ? '-' : age(behindSeconds),
    checkedSecondsAgo === null ? '-' : `${age(checkedSecondsAgo)} ago`,
  ];
}

/** Ages in kubectl's form. */
function age(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 120) return `${whole}s`;
  return whole < 7200 ? `${Math.round(whole / 60)}m` : `${Math.round(whole / 3600)}h`;
}

export function summaryLine({ nodes, inOrder, differ, unknown }: ClusterStatus['summary']): string {
  const parts = [
    ...(inOrder > 0 ? [`${inOrder} in order`] : []),
    ...(differ > 0 ? [`${differ} ${differ === 1 ? 'differs' : 'differ'}`] : []),
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
  ];
  return `${count(nodes, 'node')}: ${parts.join(', ')}`;
}
