import type { SourceObject } from '../../load/sourceObject.ts';
import type { ClusterApi } from '../clusterApi.ts';
import { type LiveKind, liveKinds } from '../lists/liveKinds.ts';
import { type KindAnswer, readKind } from '../lists/readKind.ts';
import type { ListItem } from '../lists/readList.ts';

/** A Pod of kube-proxy that runs, and the container in it. */
export interface ProxyPod {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/** By node; otherwise the answer of `readKind`, if the Pods could not be listed. */
export async function findProxyPods(
  api: ClusterApi,
): Promise<ReadonlyMap<string, ProxyPod> | Exclude<KindAnswer, { readonly kind: 'read' }>> {
  const answer = await readKind(api, podsOfSystem, namespace);
  if (answer.kind !== 'read') return answer;
  return new Map(answer.items.flatMap((item) => proxyPodOf(item as PodItem)));
}

/** By node, from objects that were read for another purpose. */
export function proxyPodsIn(objects: readonly SourceObject[]): ReadonlyMap<string, ProxyPod> {
  const pods = objects.filter(({ kind, value }) => kind === 'Pod' && namespaceOf(value) === namespace);
  return new Map(pods.flatMap(({ value }) => proxyPodOf(value as PodItem)));
}

function namespaceOf({ metadata }: SourceObject['value']): unknown {
  return (metadata as { readonly namespace?: unknown } | undefined)?.namespace;
}

const namespace = 'kube-system';
const podsOfSystem: LiveKind = { ...liveKinds.pods, tells: 'which Pod of kube-proxy runs on which node' };

interface PodItem extends ListItem {
  readonly metadata?: { readonly name?: string; readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: { readonly nodeName?: string; readonly containers?: readonly { readonly name?: string }[] };
  readonly status?: { readonly phase?: string };
}

/** kubeadm gives its DaemonSet this label, installers with static Pods name the component; some only name the Pod. */
function proxyPodOf({ metadata, spec, status }: PodItem): readonly (readonly [node: string, pod: ProxyPod])[] {
  const { name = '', labels = {} } = metadata ?? {};
  const isProxy = [labels['k8s-app'], labels.component].includes('kube-proxy') || name.startsWith('kube-proxy-');
  const containers = spec?.containers?.flatMap((one) => one.name ?? []) ?? [];
  const container = containers.find((one) => one === 'kube-proxy') ?? containers[0];
  if (!isProxy || status?.phase !== 'Running' || !spec?.nodeName || container === undefined) return [];
  return [[spec.nodeName, { namespace, pod: name, container }]];
}
