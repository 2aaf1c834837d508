import type { FleetContext, FleetForm } from '../fleetReport.ts';
import { findingsText } from './findingsText.ts';
import type { FindingsSummary, NodeAnswer } from './nodeAnswer.ts';

/** The report in a form that holds several nodes, in pieces. */
export function renderFindings(
  form: FleetForm,
  summary: FindingsSummary,
  answers: readonly NodeAnswer[],
  context: FleetContext,
): Iterable<string> {
  switch (form) {
    case 'github':
      return answers.map(({ body }) => body);
    case 'sarif':
      return sarif(answers);
    case 'junit':
      return junit(answers);
    default:
      return findingsText(summary, answers, context);
  }
}

/** One run a node. */
function* sarif(answers: readonly NodeAnswer[]): Iterable<string> {
  yield '{\n  "$schema": "https://json.schemastore.org/sarif-2.1.0.json",\n  "version": "2.1.0",\n  "runs": [';
  let separator = '\n';
  for (const { body } of answers) {
    yield `${separator}${body}`;
    separator = ',\n';
  }
  yield `${separator === '\n' ? '' : '\n  '}]\n}\n`;
}

/** One test suite a node. */
function* junit(answers: readonly NodeAnswer[]): Iterable<string> {
  const sum = (of: 'tests' | 'failures') => answers.reduce((all, answer) => all + (answer[of] ?? 0), 0);
  const errors = answers.filter(({ state }) => state === 'unjudged').length;
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites name="k8snet" tests="${sum('tests')}" failures="${sum('failures')}" errors="${errors}">\n`;
  for (const { body } of answers) yield body;
  yield '</testsuites>\n';
}
