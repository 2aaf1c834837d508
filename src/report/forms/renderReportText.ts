import { count } from '../../common/text/count.ts';
import { escapeText } from '../../common/text/escapeText.ts';
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
import { type FindingGroup, groupFindings } from '../groupFindings.ts';
import { isFailing } from '../isFailing.ts';
import type { ReportContext } from '../reportContext.ts';
import type { ReportStyle } from '../reportStyle.ts';
import { splitExplained } from '../splitExplained.ts';
import { codeCounts } from './codeCounts.ts';
import { escapeWorkflowCommand } from './escapeWorkflowCommand.ts';
import { pairChanges } from './pairChanges.ts';
import { summaryLine } from './summaryLine.ts';
import { withoutChain } from './withoutChain.ts';
import type { WordDiff } from './wordDiff.ts';

/**
 * A report for people: the summary, findings by Service with their reason and remedy, the rules in question with the
 * changed words, then differences that no finding explains. A reason and a remedy are not repeated for the next
 * Service.
 */
export function* renderReportText(report: DiffReport, context: ReportContext, wordDiff: WordDiff): Iterable<string> {
  const { style } = context;
  const hasDifferences = report.changes.length > 0 || report.findings.some(isFailing);
  yield `${style.summary(summaryLine(report), !hasDifferences)}\n`;
  yield `${style.dim(escapeWorkflowCommand(comparedLine(report)))}\n`;
  for (const note of report.notes) yield `${style.label('note:')} ${safe(note)}\n`;
  const { damaged, prose } = splitProse(report.unread);
  for (const [file, lines] of prose) yield `${style.label('note:')} ${safe(file)}: ${unreadSentence(lines)}\n`;
  yield* countLines(report.findings, style);

  const told = new Map<string, string>();
  const groups = groupFindings(report.findings);
  for (const { subject, findings } of groups) {
    yield `\n${style.subject(subject === undefined ? 'the node' : escapeWorkflowCommand(safe(subject)))}\n`;
    for (const finding of findings) yield* oneFinding(finding, report, told, context, wordDiff);
  }
  const { unexplained, explained } = splitExplained(report);
  if (unexplained.length > 0) {
    yield `\n${style.subject('rules that differ, and no finding says why')}\n`;
    yield* ruleLines(unexplained, context.isVerbose ? unexplained.length : mostChanges, '  ', style, wordDiff);
  }
  if (explained.length > 0) yield* explainedLines(explained, context, wordDiff);
  yield* unreadLines(damaged, style);
  const [worst] = groups;
  if (worst !== undefined) yield `\n${countLine(report.findings, worst)}\n`;
  if (report.comparison !== 'doctor' || hasDifferences) return;
  const isCut = report.findings.some(({ code }) => code === 'K8N110');
  yield `no problems found${isCut ? ' in what the dump shows' : ''}\n`;
}

/** Above a report that nobody reads to its end. */
function* countLines(findings: readonly Finding[], style: ReportStyle): Iterable<string> {
  const counts = codeCounts(findings);
  if (counts.length > 0) yield '\n';
  for (const { code, count: times, title } of counts) yield `${style.id(code)} ${times} times: ${title}\n`;
}

/** What one finding explains for many rules is one line; `-v` prints the rules. */
function* explainedLines(
  changes: readonly RuleChange[],
  { style, isVerbose }: ReportContext,
  wordDiff: WordDiff,
): Iterable<string> {
  const what = `${count(changes.length, 'rule')} ${changes.length === 1 ? 'differs' : 'differ'} by version alone (${changes[0]?.explainedBy})`;
  yield `\n${style.subject(isVerbose ? what : `${what}; -v prints ${changes.length === 1 ? 'it' : 'them'}`)}\n`;
  if (isVerbose) yield* ruleLines(changes, changes.length, '  ', style, wordDiff);
}

/** How many rules are printed for one finding, and for everything that no finding explains; `-v` prints them all. */
const mostRules = 12;
const mostChanges = 200;

function comparedLine({ comparison, expectedName, foundName }: DiffReport): string {
  if (comparison === 'doctor') return `in ${safe(foundName)}`;
  const word = comparison === 'manifests' ? 'expected' : 'before';
  return comparison === 'nodes'
    ? `${safe(expectedName)} against ${safe(foundName)}`
    : `${word}: ${safe(expectedName)}; found: ${safe(foundName)}`;
}

function* oneFinding(
  finding: Finding,
  report: DiffReport,
  told: Map<string, string>,
  context: ReportContext,
  wordDiff: WordDiff,
): Iterable<string> {
  const { style, locate } = context;
  const { code, severity, service } = finding;
  yield `  ${style.severity(severity, severity)} ${style.id(code)} ${safe(finding.what)}\n`;
  const advice = `${code}\n${finding.why}\n${finding.fix}`;
  const before = told.get(advice);
  if (before === undefined) {
    told.set(advice, service === undefined ? 'the node' : safe(service));
    yield `    ${style.label('→ why')} ${safe(finding.why)}\n`;
    yield `    ${style.label('→ fix')} ${safe(fixOf(finding, report))}\n`;
  } else {
    yield `    ${style.label('→')} ${style.dim(`why and fix as for ${before}`)}\n`;
  }
  yield* placeLines(finding, locate, style);
  const rules = finding.rules ?? [];
  yield* ruleLines(rules, context.isVerbose ? rules.length : mostRules, '    ', style, wordDiff);
}

function* placeLines({ places, found }: Finding, locate: Locate, style: ReportStyle): Iterable<string> {
  const manifests = places.map((origin) => {
    const place = locate(origin);
    if (place === undefined) return style.place(safe(origin.file));
    const object = place.object === undefined ? '' : ` ${style.dim(`(${safe(place.object)})`)}`;
    return `${style.place(`${safe(origin.file)}:${place.line}:${place.column}`)}${object}`;
  });
  const dumps = found.map((place) => style.place(safe(placeText(place))));
  if (manifests.length > 0) yield `    ${style.label('expected by')} ${fewOf(manifests)}\n`;
  if (dumps.length > 0) yield `    ${style.label('found in')} ${fewOf(dumps)}\n`;
}

const mostPlaces = 4;

function fewOf(places: readonly string[]): string {
  const more = places.length - mostPlaces;
  const shown = places.slice(0, mostPlaces).join(', ');
  return more > 0 ? `${shown} and ${count(more, 'more place')}` : shown;
}

function* ruleLines(
  rules: readonly RuleChange[],
  limit: number,
  indent: string,
  style: ReportStyle,
  wordDiff: WordDiff,
): Iterable<string> {
  for (const { table, chain, changes } of groupChanges(rules.slice(0, limit))) {
    yield `${indent}${style.dim(escapeWorkflowCommand(safe(`${table} ${chain}`)))}\n`;
    for (const change of pairChanges(changes)) yield `${indent}  ${ruleLine(change, style, wordDiff)}\n`;
  }
  if (rules.length > limit)
    yield `${indent}${style.dim(`and ${count(rules.length - limit, 'more rule')} (-v prints all)`)}\n`;
}

/** `-` missing in the dump, `+` only there, `~` with other words, `>` at another place. */
function ruleLine(change: RuleChange, style: ReportStyle, wordDiff: WordDiff): string {
  const { chain, place } = change;
  const expected = change.expected === undefined ? undefined : safe(withoutChain(change.expected, chain));
  const found = change.found === undefined ? undefined : safe(withoutChain(change.found, chain));
  const at = place === undefined || place.line === 0 ? '' : ` ${style.dim(`(line ${place.line})`)}`;
  if (expected !== undefined && found !== undefined) {
    if (change.isMoved) return `> ${found}${at} ${style.dim('at another place')}`;
    const words = wordDiff(expected, found).map(({ kind, text }) => {
      if (kind === 'same') return text;
      return kind === 'removed' ? style.removedWords(text) : style.addedWords(text);
    });
    return `~ ${words.join(' ')}${at}`;
  }
  return found === undefined ? style.removed(`- ${expected ?? ''}`) : `${style.added(`+ ${found}`)}${at}`;
}

function* unreadLines(damaged: DiffReport['unread'], style: ReportStyle): Iterable<string> {
  if (damaged.length === 0) return;
  yield `\n${style.subject(`${count(damaged.length, 'line')} could not be read`)}\n`;
  for (const place of damaged.slice(0, mostRules)) {
    const { text, message } = place;
    const where = safe(placeText(place)).trim() || '-';
    yield `  ${style.place(escapeWorkflowCommand(where))} ${safe(message)}: ${style.dim(safe(text))}\n`;
  }
  if (damaged.length > mostRules) yield `  ${style.dim(`and ${damaged.length - mostRules} more`)}\n`;
}

/** The rules that are explained first are printed first. */
function countLine(findings: readonly Finding[], worst: FindingGroup): string {
  const { error, warning, info, advice } = countSeverities(findings);
  const counts = [
    ...(error > 0 ? [count(error, 'error')] : []),
    ...(warning > 0 ? [count(warning, 'warning')] : []),
    ...(info > 0 ? [count(info, 'note')] : []),
    ...(advice > 0 ? [`${count(advice, 'remark')}`] : []),
  ];
  return `${counts.join(', ')}; for details: k8snet explain ${worst.findings[0]?.code}`;
}

/** A rule may be megabytes long. */
function safe(text: string): string {
  return escapeText(text.length <= longestText ? text : `${text.slice(0, longestText)}…`);
}

const longestText = 2000;
