import {
  type FleetCommandName,
  type FleetReport,
  type FleetSummary,
  fleetCommands,
  fleetSchemaId,
  type PlainObject,
} from './fleetReport.ts';
import type { NodeProblem, NodeState, NodeVerdict } from './nodeVerdict.ts';

/** A report about many nodes that was printed as JSON lines. */
export interface FleetLines {
  readonly nodes: readonly NodeLine[];
  readonly summary: FleetSummary;
}

/** One node: its verdict, and the line with it. */
export interface NodeLine {
  readonly answer: NodeVerdict;
  readonly line: string;
}

/** Reads the lines of a report of any command. A text says why it is not one, or is incomplete. */
export async function readFleetLines(
  text: string,
  reportOf: (command: FleetCommandName) => Promise<FleetReport>,
): Promise<FleetLines | string> {
  const lines: { readonly value: PlainObject; readonly line: string; readonly at: number }[] = [];
  let summary: FleetSummary | undefined;
  let at = 0;
  for (const line of text.split(/\r?\n/)) {
    at += 1;
    if (line.trim() === '') continue;
    const value = parsed(line);
    if (value?.schema !== fleetSchemaId) return notOne(line, at, value);
    if (summary !== undefined) return `line ${at} stands behind the summary: give each report as a file of its own`;
    if (value.kind === 'summary' && isSummary(value)) summary = value as unknown as FleetSummary;
    else if (value.kind === 'node' && isNode(value)) lines.push({ value, line, at });
    else return notAsSchema(at);
  }
  if (at === 1 && lines.length === 0 && summary === undefined) return 'it is empty';
  if (summary === undefined)
    return 'its last line, the summary, is missing: the report is cut, or its run has not ended';
  const own = await reportOf(summary.command);
  const nodes: NodeLine[] = [];
  for (const { value, line, at: place } of lines) {
    const verdict = verdictOf(value);
    const report = value.report as PlainObject | null;
    const answer = report === null ? own.unjudged(verdict, 'text') : own.read(verdict, report, summary);
    if (answer === undefined) return notAsSchema(place);
    nodes.push({ answer, line });
  }
  return { summary, nodes };
}

function parsed(line: string): PlainObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as PlainObject) : undefined;
  } catch {
    return undefined;
  }
}

function notOne(line: string, at: number, value: PlainObject | undefined): string {
  if (value !== undefined) return `line ${at} is not of ${fleetSchemaId}`;
  return line.trimStart().startsWith('{')
    ? `line ${at} is cut or is no JSON`
    : `line ${at} is no JSON: give what \`-o json\` printed for several nodes`;
}

function notAsSchema(at: number): string {
  return `line ${at} is not as ${fleetSchemaId} has it`;
}

const states: readonly unknown[] = ['same', 'differs', 'shown', 'unjudged'] satisfies NodeState[];

function isNode({ node, given, state, at, exitCode, problems, report }: PlainObject): boolean {
  return (
    typeof node === 'string' &&
    typeof given === 'string' &&
    states.includes(state) &&
    typeof at === 'number' &&
    typeof exitCode === 'number' &&
    Array.isArray(problems) &&
    (state === 'unjudged' ? report === null : typeof report === 'object' && report !== null && !Array.isArray(report))
  );
}

function isSummary({ nodes, exitCode, command }: PlainObject): boolean {
  return (
    typeof nodes === 'object' &&
    nodes !== null &&
    typeof exitCode === 'number' &&
    fleetCommands.some((name) => name === command)
  );
}

function verdictOf(value: PlainObject): NodeVerdict {
  const { node, given, state, at, isNamed } = value as unknown as NodeVerdict;
  return {
    at,
    node,
    given,
    isNamed: isNamed === true,
    state,
    code: value.exitCode as number,
    problems: value.problems as readonly NodeProblem[],
    body: '',
  };
}
