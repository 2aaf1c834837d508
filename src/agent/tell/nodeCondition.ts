import type { ClusterWriter, WriteAnswer } from '../../live/clusterWriter.ts';
import type { AgentState } from '../agentState.ts';
import type { Clock } from '../clock.ts';

/** The condition of the Node that says whether rules agree with the objects. */
const conditionType = 'KubeProxyRulesDrift';

interface Condition {
  readonly type: typeof conditionType;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

/**
 * Maintains the condition of the Node: it is written when it changes, and every five minutes as a sign of life.
 * Undefined: there was nothing to write.
 */
export function conditionWriter(
  writer: Pick<ClusterWriter, 'patch'>,
  node: string,
  clock: Clock,
): (state: AgentState) => Promise<WriteAnswer | undefined> {
  let written: (Condition & { readonly at: number; readonly since: string }) | undefined;
  return async (state) => {
    const condition = conditionOf(state);
    const isSame = written?.status === condition.status && written.message === condition.message;
    if (isSame && clock.now() - (written?.at ?? 0) < heartbeat) return undefined;
    const now = clock
      .date()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z');
    const since = written?.status === condition.status ? written.since : now;
    const entry = { ...condition, lastHeartbeatTime: now, lastTransitionTime: since };
    const path = `/api/v1/nodes/${encodeURIComponent(node)}/status`;
    const answer = await writer.patch(path, { status: { conditions: [entry] } }, 'strategic');
    if (answer.kind === 'done') written = { ...condition, at: clock.now(), since };
    return answer;
  };
}

/** Milliseconds. */
const heartbeat = 300_000;

function conditionOf({ last, unknown, problems }: AgentState): Condition {
  const [what] = unknown;
  const type = conditionType;
  if (what !== undefined || last === undefined) {
    const message = what === undefined ? 'the rules were not compared yet' : `${what[0]}: ${what[1].why}`;
    return { type, status: 'Unknown', reason: 'CannotCompare', message };
  }
  const kinds = [...new Set(problems.flatMap(({ problem, isSettled }) => (isSettled ? problem.id : [])))].sort();
  return kinds.length === 0
    ? { type, status: 'False', reason: 'RulesAsObjects', message: 'the rules of kube-proxy are as the objects are' }
    : { type, status: 'True', reason: 'RulesDiffer', message: `rules differ: ${kinds.join(', ')}` };
}
