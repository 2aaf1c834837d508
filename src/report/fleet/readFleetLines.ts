import { type FleetSummary, fleetSchemaId, type NodeAnswer, type NodeProblem, type NodeState } from './fleetReport.ts';

/** A report about many nodes that was printed as JSON lines. */
export interface FleetLines {
  readonly nodes: readonly NodeLine[];
  readonly summary: FleetSummary;
}

/** One node: its verdict, and the line with it. */
export interface NodeLine {
  readonly answer: NodeAnswer;
  readonly line: string;
}

/** Reads the lines of a report. A text says why it is not one, or is incomplete. */
export function readFleetLines(text: string): FleetLines | string {
  const nodes: NodeLine[] = [];
  let summary: FleetSummary | undefined;
  let at = 0;
  for (const line of text.split(/\r?\n/)) {
    at += 1;
    if (line.trim() === '') continue;
    const value = parsed(line);
    if (value?.schema !== fleetSchemaId) return notOne(line, at, value);
    if (summary !== undefined) return `line ${at} stands behind the summary: give each report as a file of its own`;
    if (value.kind === 'summary' && isSummary(value)) summary = value as unknown as FleetSummary;
    else if (value.kind === 'node' && isNode(value)) nodes.push({ answer: answerOf(value), line });
    else return `line ${at} is not as ${fleetSchemaId} has it`;
  }
  if (at === 1 && nodes.length === 0 && summary === undefined) return 'it is empty';
  if (summary === undefined)
    return 'its last line, the summary, is missing: the report is cut, or its run has not ended';
  const fails = failing(summary);
  return {
    summary,
    nodes: nodes.map(({ answer, line }) => ({
      line,
      answer: { ...answer, findings: answer.findings.map((one) => ({ ...one, fails: fails.has(keyOf(one)) })) },
    })),
  };
}

type Plain = Readonly<Record<string, unknown>>;

function parsed(line: string): Plain | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Plain) : undefined;
  } catch {
    return undefined;
  }
}

function notOne(line: string, at: number, value: Plain | undefined): string {
  if (value !== undefined) return `line ${at} is not of ${fleetSchemaId}`;
  return line.trimStart().startsWith('{')
    ? `line ${at} is cut or is no JSON`
    : `line ${at} is no JSON: give what \`-o json\` printed for several nodes`;
}

const states: readonly unknown[] = ['same', 'differs', 'unjudged'] satisfies NodeState[];

function isNode({ node, given, state, at, exitCode, problems, report }: Plain): boolean {
  return (
    typeof node === 'string' &&
    typeof given === 'string' &&
    states.includes(state) &&
    typeof at === 'number' &&
    typeof exitCode === 'number' &&
    Array.isArray(problems) &&
    (report === null || isReport(report as Plain | undefined))
  );
}

function isReport(report: Plain | undefined): boolean {
  return Array.isArray(report?.findings) && Array.isArray(report.changes) && typeof report.summary === 'object';
}

function isSummary({ nodes, groups, exitCode, command }: Plain): boolean {
  return (
    typeof nodes === 'object' &&
    nodes !== null &&
    Array.isArray(groups) &&
    typeof exitCode === 'number' &&
    (command === 'diff' || command === 'doctor')
  );
}

interface PlainFinding {
  readonly id: string;
  readonly severity: 'error' | 'warning' | 'info';
  readonly service: string | null;
  readonly seen: string;
}

function answerOf(value: Plain): NodeAnswer {
  const { node, given, state, at, exitCode, isNamed } = value as unknown as NodeAnswer & { readonly exitCode: number };
  const report = value.report as {
    findings: PlainFinding[];
    changes: unknown[];
    summary: NodeAnswer['summary'];
  } | null;
  return {
    at,
    node,
    given,
    isNamed: isNamed === true,
    state,
    code: exitCode,
    problems: value.problems as readonly NodeProblem[],
    summary: report?.summary,
    findings: (report?.findings ?? []).map(({ id, severity, service, seen }) => ({
      id: String(id),
      severity,
      ...(service !== null && { service: String(service) }),
      seen: String(seen),
      fails: false,
    })),
    changes: report?.changes.length ?? 0,
    body: '',
  };
}

/** Which findings made the run fail, according to its options. */
function failing({ groups }: FleetSummary): ReadonlySet<string> {
  return new Set(groups.filter(({ fails }) => fails).map(keyOf));
}

function keyOf({
  id,
  severity,
  service,
}: {
  readonly id: string;
  readonly severity: string;
  readonly service?: string | null;
}) {
  return JSON.stringify([id, severity, service ?? null]);
}
