import { createHash } from 'node:crypto';
import type { ClusterWriter } from '../../live/clusterWriter.ts';
import type { Clock } from '../clock.ts';
import type { ProblemEvent } from '../track/trackProblems.ts';

/** Writes an Event about the Node for each problem that begins or ends. */
export interface EventWriter {
  /** False: it could not be written. */
  readonly write: (event: ProblemEvent, isFirstCheck: boolean) => Promise<WrittenEvent>;
}

export type WrittenEvent =
  | { readonly kind: 'written' | 'known' }
  | { readonly kind: 'failed'; readonly message: string };

/**
 * One Event for each kind of finding that begins, and one when it ends. An Event's name is derived from its subject: if
 * it already exists, an earlier run of this agent wrote it, or it happened before, and its count is raised. `uid` is
 * that of the Node; without it, `kubectl describe node` does not show the Event.
 */
export function eventWriter(
  writer: ClusterWriter,
  { node, uid }: { readonly node: string; readonly uid: () => string | undefined },
  clock: Clock,
): EventWriter {
  const counts = new Map<string, number>();
  return {
    write: async (event, isFirstCheck) => {
      const name = `${node}.${nameOf(node, event)}`;
      const made = await writer.create(
        eventsPath,
        eventObject(event, { node, uid: uid() ?? node, name }, clock.date()),
      );
      if (made.kind === 'done') {
        counts.set(name, 1);
        return { kind: 'written' };
      }
      if (made.kind !== 'exists') return { kind: 'failed', message: made.message };
      // What a new agent finds at once existed before, and its predecessor reported it.
      if (isFirstCheck) return { kind: 'known' };
      const count = (counts.get(name) ?? 1) + 1;
      const series = { count, lastObservedTime: microTime(clock.date()) };
      const counted = await writer.patch(`${eventsPath}/${name}`, { series }, 'merge');
      if (counted.kind !== 'done')
        return { kind: 'failed', message: 'message' in counted ? counted.message : counted.kind };
      counts.set(name, count);
      return { kind: 'written' };
    },
  };
}

/** Events about things without a namespace are in this one. */
const namespace = 'default';
const eventsPath = `/apis/events.k8s.io/v1/namespaces/${namespace}/events`;

function nameOf(node: string, { event, key }: ProblemEvent): string {
  return createHash('sha256').update(`${node}\n${event}\n${key}`).digest('hex').slice(0, 16);
}

function eventObject(
  { event, problem, key }: ProblemEvent,
  { node, uid, name }: { readonly node: string; readonly uid: string; readonly name: string },
  date: Date,
): object {
  const begins = event === 'begin';
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name, namespace },
    eventTime: microTime(date),
    reportingController: 'k8snet.io/agent',
    reportingInstance: `k8snet-agent-${node}`.slice(0, 128),
    action: begins ? 'Compare' : 'CompareAgain',
    reason: begins ? 'KubeProxyRulesDrift' : 'KubeProxyRulesRestored',
    type: begins ? 'Warning' : 'Normal',
    regarding: { apiVersion: 'v1', kind: 'Node', name: node, uid },
    note: shortened(begins ? `${key}: ${problem.seen}` : `${key} has gone`),
  };
}

/** The API server's limit is 1024 bytes. */
function shortened(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= longestNote
    ? text
    : `${bytes
        .subarray(0, longestNote - 4)
        .toString()
        .replace(/\ufffd$/, '')} …`;
}

const longestNote = 1024;

/** Six digits after the second, as in the API's MicroTime. */
function microTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z');
}
