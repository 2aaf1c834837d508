import type { CheckCase } from '../../check/checkCase.ts';
import type { GoldenResult } from '../../check/compareGolden.ts';
import { count } from '../../common/text/count.ts';
import { jsonText } from '../../common/text/jsonText.ts';
import { checkResults } from '../../problems/catalogue/checkResults.ts';
import type { ProblemEntry } from '../../problems/problemEntry.ts';
import { renderProblems } from '../../report/forms/renderProblems.ts';
import type { ReportedProblem } from '../../report/reportedProblem.ts';
import { version } from '../version.ts';

/** The result of a case of k8snet.yaml. */
export interface CaseResult {
  readonly one: CheckCase;
  readonly outcome: GoldenResult['kind'] | 'updated' | 'failed' | 'unwritten';
  /** Undefined: nothing could be compared. */
  readonly result: GoldenResult | undefined;
  /** What is wrong with the manifests of the case. */
  readonly problems: readonly ReportedProblem[];
}

/** All cases for other programs: JSON as schema/check-output.schema.json has it, SARIF, JUnit, annotations of GitHub. */
export function checkReport(
  results: readonly CaseResult[],
  form: 'json' | 'sarif' | 'junit' | 'github',
  summary: string,
  diagnosticRules: Readonly<Record<string, ProblemEntry>>,
): Iterable<string> {
  if (form === 'json') return jsonText(jsonOf(results));
  const isFine = ({ outcome }: CaseResult) => outcome === 'same' || outcome === 'updated';
  return renderProblems(
    {
      command: 'k8snet check',
      problems: results.flatMap((one) => [...(isFine(one) ? [] : [problemOf(one)]), ...one.problems]),
      rules: new Map([...Object.entries(diagnosticRules), ...Object.entries(checkResults)]),
      passed: results.filter(isFine).map(({ one }) => one.name),
      summary,
    },
    form,
    { toolVersion: version, baseFolder: process.env.GITHUB_WORKSPACE ?? process.cwd() },
  );
}

function problemOf({ one, outcome, result }: CaseResult): ReportedProblem {
  const problem = { severity: 'error' as const, isFailure: true, object: one.name };
  if (result?.kind === 'differs' && outcome === 'differs') {
    return {
      ...problem,
      rule: 'golden-differs',
      message: `case ${one.name}: ${count(result.removed, 'line')} of the golden file no longer printed, ${result.added} new`,
      places: [{ file: one.golden, line: result.line ?? 1 }],
      hint: 'k8snet check --update accepts the change',
    };
  }
  if (outcome === 'missing') {
    return {
      ...problem,
      rule: 'golden-missing',
      message: `case ${one.name}: golden file not found`,
      places: [{ file: one.golden }],
      hint: 'k8snet check --update writes it',
    };
  }
  const message = outcome === 'unwritten' ? 'the golden file could not be written' : 'the case could not be compiled';
  return { ...problem, rule: 'case-failed', message: `case ${one.name}: ${message}`, places: [] };
}

function jsonOf(results: readonly CaseResult[]): Record<string, unknown> {
  return {
    schema: 'k8snet.check/v1',
    cases: results.map(({ one, outcome, result, problems }) => ({
      name: one.name,
      golden: one.golden,
      outcome: outcome === 'unwritten' ? 'failed' : outcome,
      ...(result?.kind === 'differs'
        ? {
            ...(result.line === undefined ? {} : { line: result.line }),
            removed: result.removed,
            added: result.added,
            patch: result.patch,
          }
        : {}),
      problems: problems.map(({ rule, severity, message, places, hint }) => ({
        code: rule,
        severity,
        message,
        ...(hint === undefined ? {} : { hint }),
        places,
      })),
    })),
  };
}
