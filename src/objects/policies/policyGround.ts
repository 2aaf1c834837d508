import { addTo } from '../../common/addTo.ts';
import type { ClusterPolicy } from '../../model/clusterPolicy.ts';
import { type LabelSelector, namespaceNameLabel, selectsLabels } from '../../model/labelSelector.ts';
import type { NetPolicy, PodPeer } from '../../model/netPolicy.ts';
import type { Labels } from '../../validate/kinds/objectMeta.ts';
import type { LintContext, LintedPodSpec } from '../lintContext.ts';

/** What selectors of policies are asked against: Pods and workloads by namespace, as far as the input shows them all. */
export interface PolicyGround {
  /** Undefined: of this namespace the input need not show all Pods. */
  readonly podsOf: (namespace: string) => readonly LintedPodSpec[] | undefined;
  /** Those of them that a policy selects; undefined: it is not known. */
  readonly selectedBy: (policy: NetPolicy) => readonly LintedPodSpec[] | undefined;
  /** Those that a peer finds; undefined: it is not known. */
  readonly found: (policy: NetPolicy | ClusterPolicy, peer: PodPeer) => readonly LintedPodSpec[] | undefined;
  /** Labels of the Namespaces of the input, by name. */
  readonly namespaces: ReadonlyMap<string, Labels>;
}

export function policyGround({ podSpecs, settings, cluster }: LintContext): PolicyGround {
  const byNamespace = new Map<string, LintedPodSpec[]>();
  // What kubectl shows to people lacks labels and names of ports.
  const shownInPart = new Set(podSpecs.flatMap(({ manifest, namespace }) => (manifest.detail ? [namespace] : [])));
  // Policies do not know Pods on the network of their node.
  for (const spec of podSpecs) if (spec.spec.hostNetwork !== true) addTo(byNamespace, spec.namespace, spec);
  const namespaces = new Map(
    cluster.manifests.namespaces.flatMap(({ value: { metadata }, detail }) =>
      detail === undefined
        ? [[metadata.name, { ...metadata.labels, [namespaceNameLabel]: metadata.name }] as const]
        : [],
    ),
  );
  // A repository has its own; a cluster always has this one.
  const isCluster =
    !settings.refused.hasNamespace &&
    namespaces.has('kube-system') &&
    [...byNamespace.keys()].every((name) => namespaces.has(name));
  const podsOf = (namespace: string) =>
    settings.unseen.has(namespace) || settings.refused.others.has(namespace) || shownInPart.has(namespace)
      ? undefined
      : byNamespace.get(namespace);
  const namespacesOf = (selector: LabelSelector): readonly string[] | undefined => {
    const named = selector.requirements.find(({ key, operator }) => key === namespaceNameLabel && operator === 'In');
    if (named !== undefined && selector.requirements.length === 1) return named.values;
    if (!isCluster) return undefined;
    return [...namespaces].flatMap(([name, labels]) => (selectsLabels(selector, labels) ? [name] : []));
  };
  const select = (names: readonly string[], selector: LabelSelector): readonly LintedPodSpec[] | undefined => {
    const lists = names.map(podsOf);
    const known = lists.filter((list) => list !== undefined);
    const selected = known.flatMap((list) => list.filter(({ labels }) => selectsLabels(selector, labels)));
    return known.length === lists.length || selected.length > 0 ? selected : undefined;
  };
  return {
    podsOf,
    namespaces,
    selectedBy: (policy) => select([policy.namespace], policy.podSelector),
    found: (policy, peer) => {
      const own = policy.kind === 'netPolicy' ? [policy.namespace] : [];
      const names = peer.namespaces === undefined ? own : namespacesOf(peer.namespaces);
      return names && select(names, peer.pods);
    },
  };
}
