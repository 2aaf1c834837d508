import type { PodObject } from '../validate/kinds/manifests.ts';
import type { AidCause } from './aidCause.ts';
import type { AskedService } from './askedService.ts';
import { whyNotReady } from './podState.ts';

/**
 * kube-proxy's Pod of a node is missing or not ready, while those of other nodes are there: then nobody keeps the rules.
 * Undefined: it is ready, or the objects do not show how kube-proxy is run.
 */
export function proxyCause({ cluster: { manifests } }: AskedService, node: string): AidCause | undefined {
  const pods = manifests.pods.filter(
    ({ value: { metadata } }) =>
      metadata.namespace === 'kube-system' &&
      metadata.labels?.['k8s-app'] === 'kube-proxy' &&
      !metadata.deletionTimestamp,
  );
  if (pods.length === 0 || !manifests.nodes.some(({ value }) => value.metadata.name === node)) return undefined;
  const own = pods.filter(({ value }) => value.spec?.nodeName === node);
  // A running Pod without a known readiness is not a cause.
  const states = own.map((pod) => ({ pod, why: isOpen(pod.value) ? undefined : whyNotReady(pod.value) }));
  if (states.some(({ why }) => why === undefined)) return undefined;
  const [first] = states;
  const get = `\`kubectl -n kube-system get pods -l k8s-app=kube-proxy -o wide --field-selector spec.nodeName=${node}\``;
  if (first === undefined) {
    return {
      code: 'kube-proxy',
      what: 'kube-proxy does not run there: the objects have its Pods on other nodes, and none on this one.',
      evidence: [],
      fix: `See why its DaemonSet starts none: \`kubectl -n kube-system describe daemonset kube-proxy\`, ${get}.`,
      nodes: [node],
    };
  }
  const { metadata } = first.pod.value;
  return {
    code: 'kube-proxy',
    what: 'kube-proxy does not keep the rules: its Pod is not ready.',
    evidence: [{ kind: 'object', text: `Pod kube-system/${metadata.name}: ${first.why}`, origin: first.pod.origin }],
    fix: `See why: \`kubectl -n kube-system logs ${metadata.name}\`, ${get}.`,
    nodes: [node],
  };
}

function isOpen({ metadata, status }: PodObject): boolean {
  const isShown = (status?.conditions ?? []).some(({ type }) => type === 'Ready');
  return status?.phase === 'Running' && !isShown && !metadata.deletionTimestamp;
}
