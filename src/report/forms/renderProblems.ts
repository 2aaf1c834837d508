import { sha256 } from '../../common/sha256.ts';
import { escapeText } from '../../common/text/escapeText.ts';
import type { Severity } from '../../problems/severity.ts';
import { relativeFile } from '../relativeFile.ts';
import type { ReportContext } from '../reportContext.ts';
import type { ProblemPlace, ProblemReport, ReportedProblem } from '../reportedProblem.ts';
import { escapeMarkup } from './escapeMarkup.ts';
import { githubAnnotation } from './githubAnnotation.ts';
import { junitCase } from './junit/junitCase.ts';
import { sarifLocation } from './sarif/sarifLocation.ts';
import { sarifLog } from './sarif/sarifLog.ts';

/** Forms in which other programs accept the problems that a check found. */
export type ProblemForm = 'sarif' | 'junit' | 'github';

/** Problems for code scanning, for collectors of test results, or as annotations of GitHub Actions, in pieces. */
export function renderProblems(
  report: ProblemReport,
  form: ProblemForm,
  context: Pick<ReportContext, 'toolVersion' | 'baseFolder'>,
): Iterable<string> {
  switch (form) {
    case 'sarif':
      return sarif(report, context);
    case 'junit':
      return junit(report);
    case 'github':
      return github(report, context.baseFolder);
  }
}

type Context = Pick<ReportContext, 'toolVersion' | 'baseFolder'>;

/** A result for every problem, with its rule; further places are related ones. Fingerprints survive moved lines. */
function* sarif({ problems, rules }: ProblemReport, context: Context): Iterable<string> {
  const names = [...new Set(problems.map(({ rule }) => rule))].sort();
  const described = names.map((id) => {
    const rule = rules.get(id);
    if (rule === undefined) return { id };
    return {
      id,
      name: id,
      shortDescription: { text: rule.what },
      help: { text: rule.fix },
      defaultConfiguration: { level: rule.severity },
    };
  });
  const indexOf = new Map(names.map((id, index) => [id, index]));
  yield* sarifLog({ version: context.toolVersion, rules: described }, results(problems, indexOf, context.baseFolder));
}

function* results(
  problems: readonly ReportedProblem[],
  indexOf: ReadonlyMap<string, number>,
  baseFolder: string | undefined,
): Iterable<Record<string, unknown>> {
  for (const problem of problems) {
    const { rule, severity, object, places } = problem;
    const [first, ...others] = places
      .map((place) => sarifLocation(place.file, regionOf(place), baseFolder))
      .filter((one) => one !== undefined);
    const logical =
      object === undefined ? {} : { logicalLocations: [{ fullyQualifiedName: escapeText(object), kind: 'resource' }] };
    const location = { ...first, ...logical };
    yield {
      ruleId: rule,
      ruleIndex: indexOf.get(rule),
      level: severity,
      message: { text: textOf(problem) },
      ...(Object.keys(location).length === 0 ? {} : { locations: [location] }),
      ...(others.length === 0 ? {} : { relatedLocations: others.map((one, index) => ({ id: index + 1, ...one })) }),
      partialFingerprints: { 'k8snet/v1': fingerprintOf(problem) },
    };
  }
}

function regionOf({ line, column, endColumn }: ProblemPlace): Record<string, number> | undefined {
  if (line === undefined) return undefined;
  return {
    startLine: line,
    ...(column === undefined ? {} : { startColumn: column }),
    ...(endColumn === undefined ? {} : { endColumn }),
  };
}

function fingerprintOf({ rule, object, message, places }: ReportedProblem): string {
  return sha256(JSON.stringify([rule, object ?? '', message, places[0]?.file ?? ''])).slice(0, 16);
}

/** A test case for every problem and for everything that is fine, and one for the whole. */
function* junit({ command, problems, passed, summary }: ProblemReport): Iterable<string> {
  const failing = problems.filter(({ isFailure }) => isFailure).length;
  const failures = failing + (failing > 0 ? 1 : 0);
  const counts = `tests="${problems.length + passed.length + 1}" failures="${failures}" errors="0"`;
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites name="k8snet" ${counts}>\n`;
  yield `  <testsuite name="${escapeMarkup(command)}" ${counts} skipped="0" time="0">\n`;
  yield junitCase(
    'no problems',
    'k8snet',
    failing > 0
      ? { kind: 'failure', type: 'problems', message: summary, lines: [summary] }
      : { kind: 'output', lines: [summary] },
  );
  for (const name of passed) yield junitCase(name, 'k8snet', { kind: 'output', lines: [] });
  for (const problem of problems) {
    const { rule, severity, message, places, hint, isFailure } = problem;
    const lines = [
      `${severity} ${rule}: ${message}`,
      ...places.map((place) => `at ${placeText(place)}`),
      ...(hint === undefined ? [] : [`hint: ${hint}`]),
    ];
    const [place] = places;
    yield junitCase(
      place === undefined ? message : `${placeText(place)}: ${message}`,
      `k8snet.${rule}`,
      isFailure ? { kind: 'failure', type: rule, message, lines } : { kind: 'output', lines },
    );
  }
  yield '  </testsuite>\n</testsuites>\n';
}

function placeText({ file, line, column }: ProblemPlace): string {
  return [file, line, column].filter((part) => part !== undefined).join(':');
}

/**
 * GitHub shows at most ten annotations of each level a step: the worst come first. The summary is a line of the log.
 */
function* github({ problems, summary }: ProblemReport, baseFolder: string | undefined): Iterable<string> {
  for (const severity of ['error', 'warning', 'note'] as const) {
    for (const problem of problems) if (problem.severity === severity) yield annotation(problem, baseFolder);
  }
  yield `k8snet: ${escapeText(summary)}\n`;
}

const levels: Readonly<Record<Severity, 'error' | 'warning' | 'notice'>> = {
  error: 'error',
  warning: 'warning',
  note: 'notice',
};

function annotation(problem: ReportedProblem, baseFolder: string | undefined): string {
  const { rule, severity, places, object } = problem;
  const [place] = places;
  const file = place === undefined ? undefined : relativeFile(place.file, baseFolder);
  return githubAnnotation({
    level: levels[severity],
    file: file === undefined ? undefined : escapeText(file),
    line: place?.line,
    column: place?.column,
    title: object === undefined ? rule : `${rule} ${escapeText(object)}`,
    message: textOf(problem),
  });
}

function textOf({ message, hint }: ReportedProblem): string {
  return [message, ...(hint === undefined ? [] : [`Hint: ${hint}`])].map(escapeText).join('\n');
}
