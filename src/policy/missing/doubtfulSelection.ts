import { allOf } from '../../common/ternary.ts';
import { type LabelSelector, selects } from '../../model/labelSelector.ts';
import type { NetPolicy, PodPeer } from '../../model/netPolicy.ts';
import type { PolicyModel, PolicyPod } from '../../model/policyModel.ts';
import type { PeerHome } from '../parties/peerHome.ts';

/**
 * Pods of which the input does not show whether selectors mean them, in the model's order: those that are surely meant are
 * not among them. Equal selectors and peers give the same array.
 */
export interface DoubtfulSelection {
  readonly maybeSelectedBy: (policy: NetPolicy) => readonly PolicyPod[];
  readonly maybePeers: (policy: PeerHome, peer: PodPeer) => readonly PolicyPod[];
}

export function doubtfulSelection({ namespaces }: PolicyModel, pods: readonly PolicyPod[]): DoubtfulSelection {
  const hasUnknownPods = pods.some(({ hasKnownLabels }) => !hasKnownLabels);
  const hasUnknownNamespaces = namespaces.some(({ hasKnownLabels }) => !hasKnownLabels);
  const namespaceNamed = new Map(namespaces.map((namespace) => [namespace.name, namespace]));
  const found = new Map<string, readonly PolicyPod[]>();

  const inNamespace = (namespace: string, selector: LabelSelector): readonly PolicyPod[] => {
    if (!hasUnknownPods) return nobody;
    const key = `${namespace}\0\0${selector.text}`;
    const known =
      found.get(key) ?? pods.filter((pod) => pod.namespace === namespace && selects(selector, pod) === 'maybe');
    found.set(key, known);
    return known;
  };
  const inNamespaces = (chosen: LabelSelector, selector: LabelSelector): readonly PolicyPod[] => {
    if (!hasUnknownPods && !hasUnknownNamespaces) return nobody;
    const key = `\0${chosen.text}\0${selector.text}`;
    const isDoubtful = (pod: PolicyPod): boolean => {
      const namespace = namespaceNamed.get(pod.namespace);
      return namespace !== undefined && allOf([selects(chosen, namespace), selects(selector, pod)]) === 'maybe';
    };
    const known = found.get(key) ?? pods.filter(isDoubtful);
    found.set(key, known);
    return known;
  };

  return {
    maybeSelectedBy: ({ namespace, podSelector }) => inNamespace(namespace, podSelector),
    maybePeers: (policy, { namespaces: chosen, pods: selector }) =>
      chosen === undefined ? inNamespace(policy.namespace ?? '', selector) : inNamespaces(chosen, selector),
  };
}

const nobody: readonly PolicyPod[] = [];
