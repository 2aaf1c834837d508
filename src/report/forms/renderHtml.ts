import { count } from '../../common/text/count.ts';
import type { RuleChange } from '../../compare/ruleChange.ts';
import type { Locate } from '../../diagnostics/place.ts';
import type { Finding } from '../../findings/finding.ts';
import { placeText } from '../../node/lines/placeText.ts';
import { splitProse } from '../../node/lines/splitProse.ts';
import { unreadSentence } from '../../node/lines/unreadSentence.ts';
import { countSeverities } from '../countSeverities.ts';
import type { DiffReport } from '../diffReport.ts';
import { fixOf } from '../fixOf.ts';
import { groupChanges } from '../groupChanges.ts';
import { groupFindings } from '../groupFindings.ts';
import type { ReportContext } from '../reportContext.ts';
import { splitExplained } from '../splitExplained.ts';
import { escapeMarkup } from './escapeMarkup.ts';
import { htmlStyle } from './htmlStyle.ts';
import { pairChanges } from './pairChanges.ts';
import { summaryLine } from './summaryLine.ts';
import { withoutChain } from './withoutChain.ts';
import type { WordDiff } from './wordDiff.ts';

/**
 * A report as one HTML file without scripts and external resources, in the reader's light or dark scheme. A card for
 * each Service, worst first, with the rules folded below each finding.
 */
export function* renderHtml(report: DiffReport, { locate }: ReportContext, wordDiff: WordDiff): Iterable<string> {
  const title = `k8snet: ${report.foundName}`;
  yield '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n';
  yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="color-scheme" content="light dark">\n';
  // Nothing in a hostile dump could load or run even if it came through unescaped.
  yield `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">\n`;
  yield `<title>${escapeMarkup(title)}</title>\n<style>\n${htmlStyle}</style>\n</head>\n<body>\n`;
  yield* header(report);
  const groups = groupFindings(report.findings);
  if (groups.length > 1) {
    const links = groups.map(({ subject, findings }, index) => {
      const worst = findings[0] as Finding;
      return `<li><a class="${worst.severity}" href="#g${index}">${subjectText(subject)}</a> <span class="dim">${findings.map(({ code }) => code).join(' ')}</span></li>\n`;
    });
    yield `<nav>\n<ul>\n${links.join('')}</ul>\n</nav>\n`;
  }
  for (const [index, { subject, findings }] of groups.entries()) {
    yield `<section id="g${index}">\n<h2>${subjectText(subject)}</h2>\n`;
    for (const finding of findings) yield* card(finding, report, locate, wordDiff);
    yield '</section>\n';
  }
  const { unexplained, explained } = splitExplained(report);
  if (unexplained.length > 0) {
    yield '<section>\n<h2>Rules that differ, and no finding says why</h2>\n<article>\n';
    yield* ruleTables(unexplained, wordDiff);
    yield '</article>\n</section>\n';
  }
  if (explained.length > 0) {
    yield `<section>\n<details>\n<summary>${count(explained.length, 'rule')} that ${explained.length === 1 ? 'differs' : 'differ'} by version alone (${explained[0]?.explainedBy})</summary>\n<article>\n`;
    yield* ruleTables(explained, wordDiff);
    yield '</article>\n</details>\n</section>\n';
  }
  yield* unreadLines(report);
  yield '</body>\n</html>\n';
}

function* header(report: DiffReport): Iterable<string> {
  const { error, warning, info, advice } = countSeverities(report.findings);
  yield `<header>\n<h1>${escapeMarkup(summaryLine(report))}</h1>\n`;
  const names =
    report.comparison === 'doctor'
      ? `in <code>${escapeMarkup(report.foundName)}</code>`
      : `<code>${escapeMarkup(report.expectedName)}</code> against <code>${escapeMarkup(report.foundName)}</code>`;
  yield `<p class="dim">${names}</p>\n<p class="counts">`;
  const badges = [
    ...(error > 0 ? [`<span class="badge error">${count(error, 'error')}</span>`] : []),
    ...(warning > 0 ? [`<span class="badge warning">${count(warning, 'warning')}</span>`] : []),
    ...(info > 0 ? [`<span class="badge info">${count(info, 'note')}</span>`] : []),
    ...(advice > 0 ? [`<span class="badge plain">${advice} ${advice === 1 ? 'remark' : 'remarks'}</span>`] : []),
  ];
  yield badges.length === 0 && report.changes.length === 0
    ? '<span class="badge same">nothing differs</span>'
    : badges.join('\n');
  yield '</p>\n';
  if (report.notes.length > 0) {
    yield `<ul class="notes">\n${report.notes.map((note) => `<li>${escapeMarkup(note)}</li>\n`).join('')}</ul>\n`;
  }
  yield '</header>\n';
}

function* card(finding: Finding, report: DiffReport, locate: Locate, wordDiff: WordDiff): Iterable<string> {
  const { code, severity, what, why, isAdvice, rules } = finding;
  yield `<article class="${severity}">\n<h3><span class="badge ${severity}">${severity}</span> <span class="id">${escapeMarkup(code)}</span> ${escapeMarkup(what)}${isAdvice ? ' <span class="dim">(about manifests or settings)</span>' : ''}</h3>\n`;
  yield `<dl>\n<dt>why</dt><dd>${escapeMarkup(why)}</dd>\n<dt>fix</dt><dd>${escapeMarkup(fixOf(finding, report))}</dd>\n`;
  const manifests = finding.places.map((origin) => {
    const place = locate(origin);
    const text = place === undefined ? origin.file : `${origin.file}:${place.line}:${place.column}`;
    const object = place?.object === undefined ? '' : ` <span class="dim">${escapeMarkup(place.object)}</span>`;
    return `<code>${escapeMarkup(text)}</code>${object}`;
  });
  const dumps = finding.found.map((place) => `<code>${escapeMarkup(placeText(place))}</code>`);
  if (manifests.length > 0) yield `<dt>expected by</dt><dd>${manifests.join(', ')}</dd>\n`;
  if (dumps.length > 0) yield `<dt>found in</dt><dd>${dumps.join(', ')}</dd>\n`;
  yield '</dl>\n';
  if (rules !== undefined && rules.length > 0) {
    yield `<details${rules.length <= mostOpen ? ' open' : ''}>\n<summary>${count(rules.length, 'rule')}</summary>\n`;
    yield* ruleTables(rules, wordDiff);
    yield '</details>\n';
  }
  yield '</article>\n';
}

/** More rules than this are folded away. */
const mostOpen = 8;

function* ruleTables(rules: readonly RuleChange[], wordDiff: WordDiff): Iterable<string> {
  for (const { table, chain, changes } of groupChanges(rules)) {
    yield `<div class="rules">\n<h4>${escapeMarkup(`${table} ${chain}`)}</h4>\n<table>\n`;
    for (const change of pairChanges(changes)) yield ruleRow(change, wordDiff);
    yield '</table>\n</div>\n';
  }
}

function ruleRow(change: RuleChange, wordDiff: WordDiff): string {
  const { chain, place, isMoved } = change;
  const expected = change.expected === undefined ? undefined : withoutChain(change.expected, chain);
  const found = change.found === undefined ? undefined : withoutChain(change.found, chain);
  const line = place === undefined ? '' : String(place.line);
  if (expected === undefined || found === undefined) {
    const kind = found === undefined ? 'del' : 'ins';
    return row(kind, kind === 'del' ? '−' : '+', line, `<${kind}>${escapeMarkup(expected ?? found ?? '')}</${kind}>`);
  }
  if (isMoved) return row('moved', '↕', line, `${escapeMarkup(found)} <span class="dim">at another place</span>`);
  const words = wordDiff(expected, found).map(({ kind, text }) => {
    if (kind === 'same') return escapeMarkup(text);
    const tag = kind === 'removed' ? 'del' : 'ins';
    return `<${tag}>${escapeMarkup(text)}</${tag}>`;
  });
  return row('changed', '~', line, words.join(' '));
}

function row(kind: string, sign: string, line: string, rule: string): string {
  return `<tr class="${kind}"><td>${sign}</td><td class="line">${line}</td><td><code>${rule}</code></td></tr>\n`;
}

function* unreadLines({ unread }: DiffReport): Iterable<string> {
  const { damaged, prose } = splitProse(unread);
  for (const [file, lines] of prose) {
    yield `<p class="dim">${escapeMarkup(`${file}: ${unreadSentence(lines)}`)}</p>\n`;
  }
  if (damaged.length === 0) return;
  yield `<section>\n<h2>${count(damaged.length, 'line')} could not be read</h2>\n<article>\n<ul>\n`;
  for (const place of damaged) {
    const { text, message } = place;
    yield `<li><code>${escapeMarkup(placeText(place))}</code> ${escapeMarkup(message)}: <code>${escapeMarkup(text)}</code></li>\n`;
  }
  yield '</ul>\n</article>\n</section>\n';
}

function subjectText(subject: string | undefined): string {
  return subject === undefined ? 'The node' : escapeMarkup(subject);
}
