import { count } from '../../../common/text/count.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import type { FleetReport, PlainObject } from '../fleetReport.ts';
import type { NodeVerdict } from '../nodeVerdict.ts';
import type { FindingsSummary, NodeAnswer } from './nodeAnswer.ts';
import { renderFindings } from './renderFindings.ts';
import { summarizeFindings } from './summarizeFindings.ts';
import { unjudgedBody } from './unjudgedBody.ts';

/** Reports of `diff` or `doctor` about many nodes. */
export function findingsReport(command: FindingsSummary['command']): FleetReport<NodeAnswer, FindingsSummary> {
  return {
    unjudged: (verdict, form) => ({
      ...verdict,
      summary: undefined,
      findings: [],
      changes: 0,
      ...unjudgedBody(verdict, form),
    }),
    summarize: (answers, run) => summarizeFindings(command, answers, run),
    render: renderFindings,
    read: readAnswer,
    bodyOf,
  };
}

interface PlainReport {
  readonly findings: readonly PlainFinding[];
  readonly changes: readonly unknown[];
  readonly summary: NodeAnswer['summary'];
}

interface PlainFinding {
  readonly id: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly service: string | null;
  readonly seen: string;
}

/** An answer from k8snet.diff/v1; its summary says which findings made the run fail. */
function readAnswer(verdict: NodeVerdict, report: PlainObject, { groups }: FindingsSummary): NodeAnswer | undefined {
  if (!isReport(report) || !Array.isArray(groups)) return undefined;
  const { findings, changes, summary } = report as unknown as PlainReport;
  const fails = new Set(groups.filter((group) => group.fails).map(keyOf));
  return {
    ...verdict,
    summary,
    findings: findings.map(({ id, severity, service, seen }) => ({
      id: String(id),
      severity,
      ...(service !== null && { service: String(service) }),
      seen: String(seen),
      fails: fails.has(keyOf({ id, severity, service })),
    })),
    changes: changes.length,
  };
}

function isReport({ findings, changes, summary }: PlainObject): boolean {
  return Array.isArray(findings) && Array.isArray(changes) && typeof summary === 'object';
}

function keyOf({ id, severity, service }: Pick<PlainFinding, 'id' | 'severity' | 'service'>): string {
  return JSON.stringify([id, severity, service]);
}

/** The lines about a node: the JSON has everything. */
function bodyOf({ findings, changes, summary }: NodeAnswer, isVerbose: boolean): string {
  const shown = findings.filter(({ fails }) => fails || isVerbose);
  const lines = shown.map(
    ({ id, severity, service, seen }) =>
      `  ${severity} ${id}${service === undefined ? '' : ` ${escapeText(service)}`}: ${escapeText(seen)}\n`,
  );
  const unexplained = changes > 0 ? [`  rules differ, and no finding says why: ${changes}\n`] : [];
  const most = isVerbose ? lines.length : mostFindings;
  const left = lines.length > most ? [`  and ${lines.length - most} more (-v prints all)\n`] : [];
  const counts = summary === undefined ? [] : [`  ${count(summary.services, 'Service')}: ${summary.same} same\n`];
  return [...counts, ...lines.slice(0, most), ...left, ...unexplained].join('');
}

const mostFindings = 20;
