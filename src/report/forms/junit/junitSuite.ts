import { count } from '../../../common/text/count.ts';
import type { Locate } from '../../../diagnostics/place.ts';
import type { Finding } from '../../../findings/finding.ts';
import { placeText } from '../../../node/lines/placeText.ts';
import type { DiffReport } from '../../diffReport.ts';
import { fixOf } from '../../fixOf.ts';
import { groupChanges } from '../../groupChanges.ts';
import { groupFindings } from '../../groupFindings.ts';
import { isFailing } from '../../isFailing.ts';
import type { ReportContext } from '../../reportContext.ts';
import { splitExplained } from '../../splitExplained.ts';
import { escapeMarkup } from '../escapeMarkup.ts';
import { summaryLine } from '../summaryLine.ts';
import { junitCase } from './junitCase.ts';

/** A test suite of JUnit's XML, with the numbers of its tests and failures. */
export interface JunitSuite {
  readonly text: string;
  readonly tests: number;
  readonly failures: number;
}

/**
 * A test case for every finding, one for each chain with unexplained differences, one for everything that a finding
 * explains at once, and one for the whole, which passes if nothing fails. Notes and advice are test cases that pass
 * with a message.
 */
export function junitSuite(report: DiffReport, name: string, { locate }: Pick<ReportContext, 'locate'>): JunitSuite {
  const lines: string[] = [];
  const { unexplained, explained } = splitExplained(report);
  const chains = groupChanges(unexplained);
  const byVersion = explained.length > 0 ? 1 : 0;
  const failing = report.findings.filter(isFailing).length + chains.length + byVersion;
  const tests = report.findings.length + chains.length + byVersion + 1;
  const failures = failing + (failing > 0 ? 1 : 0);
  const counts = `tests="${tests}" failures="${failures}" errors="0"`;
  lines.push(`  <testsuite name="${escapeMarkup(name)}" ${counts} skipped="0" time="0">\n`);
  const whole = summaryLine(report);
  lines.push(
    junitCase(
      'the dump is what it should be',
      'k8snet',
      failing > 0
        ? { kind: 'failure', type: 'difference', message: whole, lines: [whole] }
        : { kind: 'output', lines: [whole] },
    ),
  );
  for (const { subject, findings } of groupFindings(report.findings)) {
    for (const finding of findings) lines.push(findingCase(subject ?? 'the node', finding, report, locate));
  }
  for (const { table, chain, changes } of chains) {
    const rules = changes.flatMap(({ expected, found }) => [
      ...(expected === undefined ? [] : [`- ${expected}`]),
      ...(found === undefined ? [] : [`+ ${found}`]),
    ]);
    const message = `${count(changes.length, 'rule')} of ${table} ${chain} without explanation`;
    lines.push(
      junitCase(`${table} ${chain}`, 'k8snet.rules', { kind: 'failure', type: 'difference', message, lines: rules }),
    );
  }
  if (explained.length > 0) {
    const message = `${count(explained.length, 'rule')} ${explained.length === 1 ? 'differs' : 'differ'} by version alone (${explained[0]?.explainedBy})`;
    lines.push(
      junitCase('rules of another version', 'k8snet.rules', {
        kind: 'failure',
        type: 'difference',
        message,
        lines: [message],
      }),
    );
  }
  lines.push('  </testsuite>\n');
  return { text: lines.join(''), tests, failures };
}

function findingCase(subject: string, finding: Finding, report: DiffReport, locate: Locate): string {
  const { code, severity, what, why, places: expected, found } = finding;
  const places = [
    ...expected.map((origin) => `expected by ${origin.file}${lineOf(locate(origin))}`),
    ...found.map((place) => `found in ${placeText(place)}`),
  ];
  const lines = [`${severity} ${code}: ${what}`, `why: ${why}`, `fix: ${fixOf(finding, report)}`, ...places];
  const name = `${subject}: ${what}`;
  return junitCase(
    name,
    `k8snet.${code}`,
    isFailing(finding) ? { kind: 'failure', type: code, message: what, lines } : { kind: 'output', lines },
  );
}

function lineOf(place: { readonly line: number } | undefined): string {
  return place === undefined ? '' : `:${place.line}`;
}
