import {
  type AgentState,
  checkResults,
  comparisonScopes,
  durationBounds,
  secondsBehind,
  serviceCounts,
  unknownThings,
} from '../agentState.ts';
import type { ProcessCosts } from './processCosts.ts';

/** One metric in Prometheus' text format. */
interface Metric {
  readonly name: string;
  readonly type: 'gauge' | 'counter' | 'histogram';
  readonly help: string;
  readonly samples: readonly Sample[];
}

interface Sample {
  /** Appended to the name: `_bucket`. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The content type of the format. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * The agent's knowledge, for Prometheus. No label is a name from the cluster: the number of series depends only on
 * kinds of findings. `shown` remembers kinds that have occurred: a finding that is gone becomes 0, and its series does
 * not end.
 */
export function metricsText(
  state: AgentState,
  now: number,
  costs: ProcessCosts,
  shown: Map<string, readonly [severity: string, finding: string]>,
): string {
  return [...ownMetrics(state, now, shown), ...processMetrics(costs)].map(metricText).join('');
}

function ownMetrics(
  state: AgentState,
  now: number,
  shown: Map<string, readonly [severity: string, finding: string]>,
): readonly Metric[] {
  const { version, last, unknown, checks, comparisons, events, isApiUp, durations } = state;
  return [
    gauge('k8snet_build_info', 'The version of the agent.', [{ labels: { version }, value: 1 }]),
    gauge(
      'k8snet_differences',
      'Findings about the rules of this node that count, by kind.',
      differences(state, shown),
    ),
    gauge(
      'k8snet_services',
      'Services by how their rules are on this node; unexpected: rules of none.',
      Object.entries(serviceCounts(state)).map(([name, value]) => ({ labels: { state: name }, value })),
    ),
    gauge(
      'k8snet_last_check_timestamp_seconds',
      'When the rules were last compared with objects that are known; 0: never.',
      [{ value: last === undefined ? 0 : last.date.getTime() / 1000 }],
    ),
    {
      name: 'k8snet_check_duration_seconds',
      type: 'histogram',
      help: 'How long checks took, reading the rules included.',
      samples: [
        ...durationBounds.map((bound, at) => ({
          suffix: '_bucket',
          labels: { le: String(bound) },
          value: durations.counts[at] ?? 0,
        })),
        { suffix: '_bucket', labels: { le: '+Inf' }, value: durations.count },
        { suffix: '_sum', value: durations.sum },
        { suffix: '_count', value: durations.count },
      ],
    },
    gauge('k8snet_rules_behind_seconds', 'How long rules have not been as the objects are; 0: they are.', [
      { value: secondsBehind(state, now) },
    ]),
    gauge(
      'k8snet_unknown_seconds',
      'How long something has been unknown, so that nothing is judged; 0: it is known.',
      unknownThings.map((what) => {
        const since = unknown.get(what)?.since;
        return { labels: { what }, value: since === undefined ? 0 : Math.max(0, now - since) / 1000 };
      }),
    ),
    gauge('k8snet_api_up', 'Whether the API server answered last time.', [{ value: isApiUp ? 1 : 0 }]),
    counter(
      'k8snet_checks_total',
      'Looks at the rules, by what came of them.',
      checkResults.map((result) => ({ labels: { result }, value: checks[result] })),
    ),
    counter(
      'k8snet_comparisons_total',
      'Checks that compared the whole node, or a few Services; the others found rules and objects unchanged.',
      comparisonScopes.map((scope) => ({ labels: { scope }, value: comparisons[scope].count })),
    ),
    counter(
      'k8snet_comparison_seconds_total',
      'How long comparisons took, without the programs that read the rules.',
      comparisonScopes.map((scope) => ({ labels: { scope }, value: comparisons[scope].seconds })),
    ),
    counter('k8snet_events_total', 'Kubernetes Events that were written, and that could not be.', [
      { labels: { result: 'written' }, value: events.written },
      { labels: { result: 'failed' }, value: events.failed },
    ]),
  ];
}

function differences(
  { problems }: AgentState,
  shown: Map<string, readonly [severity: string, finding: string]>,
): readonly Sample[] {
  const counts = new Map<string, number>();
  for (const { problem, isSettled } of problems) {
    if (!isSettled) continue;
    const key = `${problem.severity} ${problem.id}`;
    shown.set(key, [problem.severity, problem.id]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...shown].map(([key, [severity, finding]]) => ({
    labels: { severity, finding },
    value: counts.get(key) ?? 0,
  }));
}

function processMetrics(costs: ProcessCosts): readonly Metric[] {
  return [
    counter('process_cpu_seconds_total', 'CPU time of the agent itself.', [{ value: costs.cpuSeconds }]),
    gauge('process_resident_memory_bytes', 'Resident memory of the agent.', [{ value: costs.residentBytes }]),
    gauge('process_start_time_seconds', 'When the agent began.', [{ value: costs.startSeconds }]),
    counter('k8snet_programs_cpu_seconds_total', 'CPU time of the programs that read the rules.', [
      { value: costs.programsCpuSeconds },
    ]),
  ];
}

function gauge(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, type: 'gauge', help, samples };
}

function counter(name: string, help: string, samples: readonly Sample[]): Metric {
  return { name, type: 'counter', help, samples };
}

function metricText({ name, type, help, samples }: Metric): string {
  const lines = samples.map(
    ({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelsText(labels)} ${numberText(value)}\n`,
  );
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function labelsText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}

function numberText(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toFixed(6)));
}
