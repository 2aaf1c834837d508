import type { SourceObject } from '../../load/sourceObject.ts';
import type { ClusterApi } from '../clusterApi.ts';
import { type LiveKind, liveKinds } from '../lists/liveKinds.ts';
import { type KindAnswer, readKind } from '../lists/readKind.ts';
import type { ListItem } from '../lists/readList.ts';

/** A Pod of k8snet's agent, and how programs in it reach the agent. */
export interface AgentPod {
  readonly node: string;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** It runs, and answers. */
  readonly isRunning: boolean;
  /** Why not, in the words of Kubernetes; and when it runs, whether it is ready. */
  readonly state: string;
  /** The command-line options that say where and how it listens. */
  readonly listening: readonly string[];
}

/** The label that `deploy/` gives to the agent's Pods. */
const agentLabel = { name: 'app.kubernetes.io/name', value: 'k8snet-agent' };
const agentSelector = `${agentLabel.name}=${agentLabel.value}`;

/** By node, in all namespaces; otherwise the answer of `readKind`, if the Pods could not be listed. */
export async function findAgentPods(
  api: ClusterApi,
  selector: string = agentSelector,
): Promise<readonly AgentPod[] | Exclude<KindAnswer, { readonly kind: 'read' }>> {
  const answer = await readKind(api, agentPods, undefined, selector);
  return answer.kind === 'read' ? answer.items.flatMap((item) => agentPodOf(item as PodItem)) : answer;
}

/** The same, from objects that were read for another purpose, all Pods of the cluster among them. */
export function agentPodsIn(objects: readonly SourceObject[]): readonly AgentPod[] {
  return objects.flatMap(({ kind, value }) => {
    const item = value as PodItem;
    if (kind !== 'Pod') return [];
    return item.metadata?.labels?.[agentLabel.name] === agentLabel.value ? agentPodOf(item) : [];
  });
}

const agentPods: LiveKind = { ...liveKinds.pods, tells: 'which node has an agent' };

interface PodItem extends ListItem {
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec?: { readonly nodeName?: string; readonly containers?: readonly ContainerItem[] };
  readonly status?: {
    readonly phase?: string;
    readonly reason?: string;
    readonly hostIP?: string;
    readonly podIP?: string;
    readonly containerStatuses?: readonly {
      readonly name?: string;
      readonly state?: { readonly waiting?: { readonly reason?: string } };
    }[];
  };
}

interface ContainerItem {
  readonly name?: string;
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: readonly {
    readonly name?: string;
    readonly value?: string;
    readonly valueFrom?: { readonly fieldRef?: { readonly fieldPath?: string } };
  }[];
}

function agentPodOf(item: PodItem): readonly AgentPod[] {
  const { metadata = {}, spec = {}, status = {} } = item;
  const { namespace, name: pod, deletionTimestamp } = metadata;
  const container = spec.containers?.find(({ name }) => name === 'agent') ?? spec.containers?.[0];
  if (!spec.nodeName || !namespace || !pod || !container?.name) return [];
  const waiting = status.containerStatuses?.find(({ name }) => name === container.name)?.state?.waiting?.reason;
  const isRunning = status.phase === 'Running' && waiting === undefined && deletionTimestamp === undefined;
  const state = waiting ?? status.reason ?? status.phase ?? 'Unknown';
  const listening = listeningOf(container, item);
  return [{ node: spec.nodeName, namespace, pod, container: container.name, isRunning, state, listening }];
}

/** Of the agent's own command line: `--listen`, and that it serves over TLS. */
function listeningOf(container: ContainerItem, item: PodItem): readonly string[] {
  const words = [...(container.command ?? []), ...(container.args ?? [])];
  return ['--listen', '--tls-cert', '--tls-key'].flatMap((option) => {
    const at = words.findIndex((word) => word === option || word.startsWith(`${option}=`));
    const word = words[at];
    const value = word === option ? words[at + 1] : word?.slice(option.length + 1);
    return value === undefined ? [] : [`${option}=${expanded(value, container, item)}`];
  });
}

/** `$(NODE_IP)`, which the kubelet replaces by variables in the container's environment. */
function expanded(value: string, { env = [] }: ContainerItem, { status = {} }: PodItem): string {
  return value.replace(/\$\((\w+)\)/g, (whole, name: string) => {
    const own = env.find((variable) => variable.name === name);
    const path = own?.valueFrom?.fieldRef?.fieldPath;
    return (
      own?.value ??
      (path === 'status.hostIP' ? status.hostIP : path === 'status.podIP' ? status.podIP : undefined) ??
      whole
    );
  });
}
