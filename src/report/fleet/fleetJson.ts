import { escapeJson } from '../../common/text/escapeText.ts';
import { type FleetSummary, fleetSchemaId } from './fleetReport.ts';
import type { NodeVerdict } from './nodeVerdict.ts';

/** The line of one node; its body is the command's report, as one line. */
export function nodeLine({ at, node, isNamed, given, state, code, problems, body }: NodeVerdict): string {
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
  return `${escapeJson(head.slice(0, -1))},"report":${body === '' ? 'null' : body}}\n`;
}

/** The last line. */
export function summaryLine(summary: FleetSummary): string {
  return `${escapeJson(JSON.stringify({ schema: fleetSchemaId, kind: 'summary', ...summary }))}\n`;
}
