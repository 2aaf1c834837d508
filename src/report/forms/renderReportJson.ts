import { escapeJson } from '../../common/text/escapeText.ts';
import type { RuleChange } from '../../compare/ruleChange.ts';
import type { Origin } from '../../diagnostics/diagnostic.ts';
import type { Locate } from '../../diagnostics/place.ts';
import type { Finding } from '../../findings/finding.ts';
import type { DiffReport } from '../diffReport.ts';
import { fixOf } from '../fixOf.ts';
import { changeFingerprint, findingFingerprint } from '../ignore/fingerprint.ts';
import type { ReportContext } from '../reportContext.ts';

/**
 * Version of the JSON form; `schema/diff-output.schema.json` describes it. It is raised when a field changes its
 * meaning.
 */
export const diffSchemaId = 'k8snet.diff/v1';

/** A report for programs, one finding or rule at a time. Characters that a terminal interprets are `\u` escapes. */
export function* renderReportJson(report: DiffReport, { locate }: ReportContext): Iterable<string> {
  const { comparison, expectedName, foundName, summary, notes, unread } = report;
  yield '{\n';
  yield `  "schema": ${json(diffSchemaId)},\n`;
  yield `  "comparison": ${json(comparison)},\n`;
  yield `  "expected": ${json(expectedName)},\n`;
  yield `  "found": ${json(foundName)},\n`;
  yield `  "summary": ${json(summary)},\n`;
  yield* list('findings', report.findings, (finding) => plainFinding(finding, report, locate));
  yield* list('changes', report.changes, plainChange);
  yield* list('unread', unread, (line) => line);
  yield `  "notes": ${json(notes)}\n}\n`;
}

function* list<T>(name: string, items: readonly T[], plain: (item: T) => unknown): Iterable<string> {
  yield `  ${json(name)}: [`;
  let separator = '\n';
  for (const item of items) {
    yield `${separator}    ${json(plain(item))}`;
    separator = ',\n';
  }
  yield items.length === 0 ? '],\n' : '\n  ],\n';
}

function json(value: unknown): string {
  return escapeJson(JSON.stringify(value));
}

function plainFinding(finding: Finding, report: DiffReport, locate: Locate): Record<string, unknown> {
  const { code, severity, service, what, why, places, found, rules, isAdvice } = finding;
  return {
    id: code,
    severity,
    service: service ?? null,
    seen: what,
    why,
    fix: fixOf(finding, report),
    isAdvice,
    fingerprint: findingFingerprint(finding),
    expected: places.map((origin) => plainOrigin(origin, locate)),
    found,
    rules: (rules ?? []).map(plainRule),
  };
}

function plainOrigin(origin: Origin, locate: Locate): Record<string, unknown> {
  const { file, document, path } = origin;
  const place = locate(origin);
  if (place === undefined) return { file, document, path };
  const { line, column, object } = place;
  return { file, document, path, line, column, ...(object === undefined ? {} : { object }) };
}

function plainChange(change: RuleChange): Record<string, unknown> {
  const { explainedBy } = change;
  return {
    ...plainRule(change),
    ...(explainedBy === undefined ? {} : { explainedBy }),
    fingerprint: changeFingerprint(change),
  };
}

function plainRule({ table, chain, expected, found, place, isMoved }: RuleChange): Record<string, unknown> {
  return {
    table,
    chain,
    expected: expected ?? null,
    found: found ?? null,
    ...(place === undefined ? {} : { place }),
    isMoved: isMoved ?? false,
  };
}
