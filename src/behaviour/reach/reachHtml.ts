import { othersText } from '../../model/othersText.ts';
import { escapeMarkup } from '../../report/forms/escapeMarkup.ts';
import { htmlStyle } from '../../report/forms/htmlStyle.ts';
import { outcomeText } from '../outcome/outcomeText.ts';
import { type SenderKind, senderKinds } from '../packets/senderKinds.ts';
import { traceArguments } from '../traceArguments.ts';
import type { Reach, ReachClass, ReachRow } from './reach.ts';
import { classesFrom, rowName, sourceText } from './reachWords.ts';

/**
 * What can be reached, as one HTML page without scripts and external resources. One table for each Service, one column
 * for each entrance.
 */
export function* reachHtml({ name, rows, unknown, assumed, otherPolicies = [] }: Reach): Iterable<string> {
  const title = `k8snet reach: ${name}`;
  yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n';
  yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="color-scheme" content="light dark">\n';
  // Nothing in a hostile dump could load or run even if it came through unescaped.
  yield `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">\n`;
  yield `<title>${escapeMarkup(title)}</title>\n<style>\n${htmlStyle}${tableStyle}</style>\n</head>\n<body>\n`;
  yield `<header>\n<h1>Who reaches what on ${escapeMarkup(name)}</h1>\n`;
  const undecided = othersText(otherPolicies);
  const notes = [
    ...(undecided === undefined ? [] : [undecided]),
    ...unknown.map(({ text, rule }) => `not understood: ${text} in ${rule}`),
    ...assumed.map((text) => `assumed: ${text}`),
  ];
  if (notes.length > 0) {
    yield `<ul class="notes">\n${notes.map((note) => `<li>${escapeMarkup(note)}</li>\n`).join('')}</ul>\n`;
  }
  yield '</header>\n';
  let service: string | undefined | null = null;
  for (const row of rows) {
    if (service !== row.name.service) {
      if (service !== null) yield '</table>\n</section>\n';
      service = row.name.service;
      yield `<section>\n<h2>${escapeMarkup(service ?? 'Other addresses')}</h2>\n<table>\n${headRow}`;
    }
    yield rowHtml(row);
  }
  if (service !== null) yield '</table>\n</section>\n';
  yield '</body>\n</html>\n';
}

const tableStyle = `body { max-width: none; }
th { padding: .15rem .5rem; text-align: left; color: var(--dim); font-weight: 600; }
td, td:first-child { width: auto; font-weight: 400; text-align: left; border-top: 1px solid var(--line); }
td div { margin-bottom: .3rem; }
.arrives { color: var(--same); } .dropped, .unroutable { color: var(--error); } .refused { color: var(--warning); }
`;

const headRow = `<tr><th>address</th>${senderKinds.map((kind) => `<th>${kind}</th>`).join('')}</tr>\n`;

function rowHtml(row: ReachRow): string {
  const cells = senderKinds.map((kind) => `<td>${cellHtml(row, kind)}</td>`);
  return `<tr><td><code>${escapeMarkup(rowName(row))}</code></td>${cells.join('')}</tr>\n`;
}

function cellHtml(row: ReachRow, kind: SenderKind): string {
  const classes = classesFrom(row, kind);
  if (classes.length === 0) return '–';
  return classes.map((one) => classHtml(one, classes)).join('');
}

function classHtml(one: ReachClass, among: readonly ReachClass[]): string {
  const { entrance, packet, outcome } = one;
  const all = [...outcome.outcomes.values()].sort((a, b) => b.share - a.share);
  const lines = all.slice(0, mostShown).map(({ outcome: each, share }) => {
    const part = outcome.isOpen ? 'perhaps ' : all.length === 1 ? '' : `${(share * 100).toFixed(1)} % `;
    return `<span class="${each.kind}">${escapeMarkup(`${part}${outcomeText(each, packet.family === 'ipv6')}`)}</span>`;
  });
  if (all.length > mostShown) lines.push(`… ${all.length - mostShown} more`);
  const from = among.length > 1 ? `<span class="dim">${escapeMarkup(sourceText(one, among))}:</span> ` : '';
  return `<div title="${escapeMarkup(`k8snet trace ${traceArguments(entrance, packet)}`)}">${from}${lines.join('<br>')}</div>`;
}

const mostShown = 8;
