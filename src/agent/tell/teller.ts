import type { OpenCluster } from '../../live/clusterWriter.ts';
import type { AgentOptions } from '../agentOptions.ts';
import type { AgentState } from '../agentState.ts';
import type { CheckOutcome } from '../checkLoop.ts';
import { systemClock } from '../clock.ts';
import type { ObjectStore } from '../follow/objectStore.ts';
import type { Log } from './logLine.ts';
import { conditionWriter } from './nodeCondition.ts';
import { eventWriter } from './nodeEvents.ts';

/** Reports the result of a check: log lines, and in the cluster what was asked for. */
export interface Teller {
  readonly tell: (outcome: CheckOutcome) => Promise<void>;
  readonly events: () => AgentState['events'];
}

export function createTeller(
  options: Pick<AgentOptions, 'node' | 'writesEvents' | 'writesCondition'>,
  { writer }: Pick<OpenCluster, 'writer'>,
  store: Pick<ObjectStore, 'all'>,
  log: Log,
  clock = systemClock,
): Teller {
  const { node } = options;
  const events = options.writesEvents ? eventWriter(writer, { node, uid: () => uidOf(store) }, clock) : undefined;
  const writeCondition = options.writesCondition ? conditionWriter(writer, node, clock) : undefined;
  let counts: AgentState['events'] = { written: 0, failed: 0 };
  let isFirst = true;
  let lastFailure: string | undefined;
  const failed = (what: string, message: string) => {
    // A repeated message makes only one line.
    if (message !== lastFailure) log('warning', `${what} cannot be written`, { why: message });
    lastFailure = message;
  };
  return {
    events: () => counts,
    tell: async (outcome) => {
      logOutcome(outcome, log);
      for (const event of outcome.events) {
        const written = await events?.write(event, isFirst);
        if (written?.kind === 'written') counts = { ...counts, written: counts.written + 1 };
        if (written?.kind !== 'failed') continue;
        counts = { ...counts, failed: counts.failed + 1 };
        failed('an Event', written.message);
      }
      // What this agent found at once has been reported: everything else begins while it runs.
      if (outcome.state.last !== undefined && outcome.state.problems.every(({ isSettled }) => isSettled))
        isFirst = false;
      const condition = await writeCondition?.(outcome.state);
      if (condition !== undefined && condition.kind !== 'done')
        failed('the condition of the Node', 'message' in condition ? condition.message : condition.kind);
    },
  };
}

function logOutcome({ state, events, turned }: CheckOutcome, log: Log): void {
  for (const { thing, why } of turned) {
    if (why === undefined) log('info', `${thing} known again`);
    else log('warning', `${thing} unknown: nothing is judged, and what was found stands`, { why });
  }
  for (const { event, problem } of events) {
    const { id, severity, service, seen } = problem;
    const about = { finding: id, ...(service !== undefined && { service }) };
    if (event === 'begin') log(severity, seen, { ...about, event });
    else log('info', 'the finding has gone', { ...about, event });
  }
  if (state.comparisons.node.count === 1 && state.checks.in_order + state.checks.differs === 1)
    log('info', 'the rules were compared for the first time', { services: state.last?.report.summary.services });
}

function uidOf(store: Pick<ObjectStore, 'all'>): string | undefined {
  for (const { kind, text } of store.all()) {
    if (kind !== 'Node') continue;
    const { metadata } = JSON.parse(text) as { readonly metadata?: { readonly uid?: string } };
    return metadata?.uid;
  }
  return undefined;
}
