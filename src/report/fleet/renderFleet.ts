import { escapeJson } from '../../common/text/escapeText.ts';
import type { ReportContext } from '../reportContext.ts';
import { type FleetSummary, fleetSchemaId, type NodeAnswer } from './fleetReport.ts';
import { renderFleetText } from './renderFleetText.ts';

/** Forms that can hold several nodes. */
export type FleetForm = (typeof fleetForms)[number];

export const fleetForms = ['text', 'json', 'github', 'sarif', 'junit'] as const;

/**
 * The output for all nodes, in pieces; for JSON lines only the last line, since each node's line is printed as soon as
 * it is known.
 */
export function renderFleet(
  form: FleetForm,
  summary: FleetSummary,
  answers: readonly NodeAnswer[],
  context: Pick<ReportContext, 'style' | 'isVerbose'>,
): Iterable<string> {
  switch (form) {
    case 'text':
      return renderFleetText(summary, answers, context);
    case 'json':
      return [summaryJson(summary)];
    case 'github':
      return answers.map(({ body }) => body);
    case 'sarif':
      return sarif(answers);
    case 'junit':
      return junit(answers);
  }
}

/** The line for one node. `report`: k8snet.diff/v1 as one line. */
export function nodeJson(answer: Omit<NodeAnswer, 'body'>, report: string | undefined): string {
  const { at, node, isNamed, given, state, code, problems } = answer;
  const head = JSON.stringify({
    schema: fleetSchemaId,
    kind: 'node',
    at,
    node,
    isNamed,
    given,
    state,
    exitCode: code,
    problems,
  });
  return `${escapeJson(head.slice(0, -1))},"report":${report ?? 'null'}}\n`;
}

/** The last line. */
function summaryJson(summary: FleetSummary): string {
  return `${escapeJson(JSON.stringify({ schema: fleetSchemaId, kind: 'summary', ...summary }))}\n`;
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
