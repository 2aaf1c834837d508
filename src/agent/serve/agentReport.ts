import { type AgentState, secondsBehind, serviceCounts, unknownThings } from '../agentState.ts';

/** Version of the JSON of `/report`; `schema/agent-report.schema.json` describes it. */
export const agentReportSchema = 'k8snet.agent-report/v1';

/** One finding of a node in `/report`. */
export interface ReportedFinding {
  readonly id: string;
  readonly severity: 'error' | 'warning';
  readonly service: string | null;
  readonly seen: string;
  readonly why: string;
  readonly fix: string;
  readonly since: string;
  readonly fingerprint: string;
  /** False: it is younger than kube-proxy's sync may take, and does not count yet. */
  readonly isSettled: boolean;
}

/** Everything that an agent knows about its node. */
export interface AgentReport {
  readonly schema: typeof agentReportSchema;
  readonly node: string;
  readonly version: string;
  readonly startedAt: string;
  /** When rules and objects were last compared; null: never. */
  readonly checkedAt: string | null;
  /** How long ago, independent of any clock's setting. */
  readonly checkedSecondsAgo: number | null;
  readonly mode: string | null;
  /** What is unknown at present: then nothing is judged, and previous findings stay. */
  readonly unknown: readonly { readonly what: string; readonly since: string; readonly why: string }[];
  /** What the account may not read and the agent leaves out. */
  readonly gaps: readonly string[];
  readonly services: ReturnType<typeof serviceCounts> & { readonly total: number };
  readonly behindSeconds: number;
  readonly findings: readonly ReportedFinding[];
  readonly notes: readonly string[];
}

export function agentReport(state: AgentState, now: number): AgentReport {
  const { node, version, startedAt, last, unknown, gaps, problems } = state;
  return {
    schema: agentReportSchema,
    node,
    version,
    startedAt: startedAt.toISOString(),
    checkedAt: last?.date.toISOString() ?? null,
    checkedSecondsAgo: last === undefined ? null : Math.max(0, Math.round((now - last.at) / 1000)),
    mode: last?.mode ?? null,
    unknown: unknownThings.flatMap((what) => {
      const own = unknown.get(what);
      return own === undefined ? [] : [{ what, since: own.sinceDate.toISOString(), why: own.why }];
    }),
    gaps,
    services: { total: last?.report.summary.services ?? 0, ...serviceCounts(state) },
    behindSeconds: Math.round(secondsBehind(state, now)),
    findings: problems.map(({ problem, sinceDate, isSettled }) => {
      const { id, severity, service, seen, why, fix, fingerprint } = problem;
      const since = sinceDate.toISOString();
      return { id, severity, service: service ?? null, seen, why, fix, since, fingerprint, isSettled };
    }),
    notes: last?.notes ?? [],
  };
}
