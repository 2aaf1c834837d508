import type { ClusterApi } from '../../live/clusterApi.ts';
import { runProgram } from '../../live/kubectl/runProgram.ts';
import { inTurns } from '../../live/lists/inTurns.ts';
import { parseObject } from '../../live/lists/readList.ts';
import type { LiveOptions } from '../../live/liveOptions.ts';
import { type AgentPod, findAgentPods } from '../../live/node/findAgentPods.ts';
import { podProgram } from '../../live/node/podProgram.ts';
import { type AgentReport, agentReportSchema } from '../serve/agentReport.ts';

/** What is known about one node: its agent's report, or the reason why it has no report. */
export type NodeStatus =
  | { readonly kind: 'reported'; readonly node: string; readonly pod: string; readonly report: AgentReport }
  | { readonly kind: 'unknown'; readonly node: string; readonly why: string };

/**
 * Asks the agents of all nodes by running a program in their Pods: no port of theirs needs to be open to the network,
 * and users who may not run programs there learn nothing. A string: why no agents can be found.
 */
export async function readAgents(
  api: ClusterApi,
  nodes: readonly string[],
  { selector, cluster, progress }: ReadAgentsOptions,
): Promise<readonly NodeStatus[] | string> {
  const pods = await findAgentPods(api, selector);
  if ('kind' in pods) return pods.kind === 'absent' ? 'the server has no Pods' : pods.message;
  const byNode = new Map(pods.map((pod) => [pod.node, pod] as const));
  // Of two Pods on a node, one is being replaced.
  for (const pod of pods) if (pod.isRunning) byNode.set(pod.node, pod);
  const names = [...new Set([...nodes, ...byNode.keys()])].sort();
  const states = new Map<string, NodeStatus>();
  await inTurns(names, podsAtOnce, async (node) => {
    states.set(node, await statusOf(node, byNode.get(node), cluster));
    progress(states.size, names.length);
  });
  return names.flatMap((node) => states.get(node) ?? []);
}

export interface ReadAgentsOptions {
  readonly selector: string | undefined;
  readonly cluster: LiveOptions;
  readonly progress: (done: number, all: number) => void;
}

const podsAtOnce = 8;

async function statusOf(node: string, pod: AgentPod | undefined, cluster: LiveOptions): Promise<NodeStatus> {
  const unknown = (why: string): NodeStatus => ({ kind: 'unknown', node, why });
  if (pod === undefined) return unknown('no agent');
  if (!pod.isRunning) return unknown(`Pod ${pod.namespace}/${pod.pod}: ${pod.state}`);
  const words = ['k8snet', 'agent', `--node=${node}`, ...pod.listening, '--print=report'];
  const { kind, status, output, said } = await runProgram(podProgram(pod, cluster, words), {
    timeout: cluster.nodeTimeout,
  });
  if (kind === 'tooSlow') return unknown(`Pod ${pod.namespace}/${pod.pod}: no answer in time`);
  const report = status === 0 ? parseObject(output.toString()) : undefined;
  if (report?.schema === agentReportSchema)
    return { kind: 'reported', node, pod: `${pod.namespace}/${pod.pod}`, report: report as unknown as AgentReport };
  const lines = said.split('\n').filter((line) => line.trim() !== '' && !/^command terminated/.test(line));
  const why = lines.at(-1)?.trim() ?? 'no report came';
  return unknown(`Pod ${pod.namespace}/${pod.pod}: ${why}`);
}
