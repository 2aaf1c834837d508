import type { AgentReport, ReportedFinding } from '../serve/agentReport.ts';
import type { NodeStatus } from './readAgents.ts';

/** Version of the JSON of `status`; `schema/status-output.schema.json` describes it. */
export const statusSchema = 'k8snet.status/v1';

/** `unknown`: the present state is unknown; previous findings may still hold. */
export type NodeVerdict = 'in-order' | 'differs' | 'unknown';

/** One node, in one line. */
export interface NodeLine {
  readonly node: string;
  readonly verdict: NodeVerdict;
  /** Why it is unknown; null: it is known. */
  readonly why: string | null;
  readonly mode: string | null;
  readonly services: AgentReport['services'] | null;
  readonly errors: number;
  readonly warnings: number;
  readonly behindSeconds: number | null;
  readonly checkedAt: string | null;
  readonly checkedSecondsAgo: number | null;
  readonly version: string | null;
  /** How it differs from the others, in words. */
  readonly odd: readonly string[];
}

/** The same finding on some nodes. */
export interface FindingGroup {
  readonly id: string;
  readonly severity: ReportedFinding['severity'];
  readonly service: string | null;
  readonly seen: string;
  readonly fix: string;
  readonly nodes: readonly string[];
}

export interface ClusterStatus {
  readonly schema: typeof statusSchema;
  readonly summary: {
    readonly nodes: number;
    readonly inOrder: number;
    readonly differ: number;
    readonly unknown: number;
  };
  readonly nodes: readonly NodeLine[];
  readonly findings: readonly FindingGroup[];
}

/** The reports of the agents of all nodes, combined. Findings that do not count yet are left out. */
export function clusterStatus(states: readonly NodeStatus[]): ClusterStatus {
  const reports = states.flatMap((state) => (state.kind === 'reported' ? state.report : []));
  const usual = {
    mode: usualOf(reports.map(({ mode }) => mode)),
    version: usualOf(reports.map(({ version }) => version)),
  };
  const usualServices = usualOf(reports.map(({ services }) => String(services.total)));
  const lines = states.map((state) => lineOf(state, { ...usual, services: usualServices }));
  const nodes = withOddOne(lines);
  const countOf = (verdict: NodeVerdict) => nodes.filter((line) => line.verdict === verdict).length;
  return {
    schema: statusSchema,
    summary: {
      nodes: nodes.length,
      inOrder: countOf('in-order'),
      differ: countOf('differs'),
      unknown: countOf('unknown'),
    },
    nodes,
    findings: groupsOf(reports),
  };
}

/** What most of three or more nodes have; undefined: they differ too much. */
function usualOf(values: readonly (string | null)[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [most] = [...counts].sort(([, one], [, other]) => other - one);
  return most !== undefined && values.length > 2 && most[1] > values.length / 2 ? most[0] : undefined;
}

interface Usual {
  readonly mode: string | undefined;
  readonly version: string | undefined;
  readonly services: string | undefined;
}

function lineOf(state: NodeStatus, usual: Usual): NodeLine {
  const { node } = state;
  if (state.kind === 'unknown') {
    const nothing = {
      mode: null,
      services: null,
      behindSeconds: null,
      checkedAt: null,
      checkedSecondsAgo: null,
      version: null,
    };
    return { node, verdict: 'unknown', why: state.why, ...nothing, errors: 0, warnings: 0, odd: [] };
  }
  const { report } = state;
  const { mode, services, behindSeconds, checkedAt, checkedSecondsAgo, version, unknown } = report;
  const settled = report.findings.filter(({ isSettled }) => isSettled);
  const [open] = unknown;
  const why = open
    ? `${open.what} unknown since ${open.since}: ${open.why}`
    : checkedAt === null
      ? 'the rules were not compared yet'
      : (checkedSecondsAgo ?? 0) > longestSilence
        ? `no check has come to its end for ${Math.round((checkedSecondsAgo ?? 0) / 60)} min`
        : null;
  const verdict = why !== null ? 'unknown' : settled.length > 0 ? 'differs' : 'in-order';
  const odd = [
    ...(usual.mode !== undefined && mode !== null && mode !== usual.mode
      ? [`mode ${mode}, most have ${usual.mode}`]
      : []),
    ...(usual.version !== undefined && version !== usual.version
      ? [`agent ${version}, most have ${usual.version}`]
      : []),
    ...(usual.services !== undefined &&
    why === null &&
    services.changing === 0 &&
    String(services.total) !== usual.services
      ? [`${services.total} Services, most have ${usual.services}`]
      : []),
  ];
  const countOf = (severity: ReportedFinding['severity']) => settled.filter((one) => one.severity === severity).length;
  return {
    node,
    verdict,
    why,
    mode,
    services,
    errors: countOf('error'),
    warnings: countOf('warning'),
    behindSeconds,
    checkedAt,
    checkedSecondsAgo,
    version,
    odd,
  };
}

/** Seconds: many times the interval of any agent. */
const longestSilence = 600;

/** Among several healthy nodes, one that is not. */
function withOddOne(lines: readonly NodeLine[]): readonly NodeLine[] {
  const differing = lines.filter(({ verdict }) => verdict === 'differs');
  const inOrder = lines.filter(({ verdict }) => verdict === 'in-order').length;
  if (differing.length !== 1 || inOrder < 2) return lines;
  return lines.map((line) =>
    line === differing[0] ? { ...line, odd: ['the only node that differs', ...line.odd] } : line,
  );
}

/** Errors first, then what most nodes have. */
function groupsOf(reports: readonly AgentReport[]): readonly FindingGroup[] {
  const groups = new Map<string, FindingGroup>();
  for (const { node, findings } of reports) {
    for (const { id, severity, service, seen, fix, fingerprint, isSettled } of findings) {
      if (!isSettled) continue;
      const known = groups.get(fingerprint);
      groups.set(fingerprint, { id, severity, service, seen, fix, nodes: [...(known?.nodes ?? []), node] });
    }
  }
  const rank = ({ severity, nodes }: FindingGroup) => (severity === 'error' ? 0 : 1_000_000) - nodes.length;
  return [...groups.values()].sort((one, other) => rank(one) - rank(other));
}
