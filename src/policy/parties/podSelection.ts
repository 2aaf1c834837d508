import { addTo } from '../../common/addTo.ts';
import { type LabelSelector, selects } from '../../model/labelSelector.ts';
import type { NetPolicy, PodPeer } from '../../model/netPolicy.ts';
import type { PolicyModel, PolicyPod } from '../../model/policyModel.ts';
import { type DoubtfulSelection, doubtfulSelection } from '../missing/doubtfulSelection.ts';
import type { PeerHome } from './peerHome.ts';

/**
 * Finds the pods that selectors mean. Host-network pods and pods without an address are never among them. Nothing is taken
 * for granted: a Pod stands in the list of those that are meant, in that of those that may be, or in neither.
 */
export interface PodSelection extends DoubtfulSelection {
  /** The pods that a policy is about, in the model's order. */
  readonly selectedBy: (policy: NetPolicy) => readonly PolicyPod[];
  /** The pods of a peer that is given by selectors. Equal peers give the same array. */
  readonly peers: (policy: PeerHome, peer: PodPeer) => readonly PolicyPod[];
}

/**
 * Indexed by label, and every selector is evaluated once: clusters repeat few selectors in many policies. `isCandidate`:
 * who can be found at all, if not those that traffic reaches.
 */
export function podSelection(
  model: PolicyModel,
  isCandidate: (pod: PolicyPod) => boolean = hasOwnAddress,
): PodSelection {
  const pods = model.pods.filter(isCandidate);
  const everywhere = labelledPods(pods);
  const byNamespace = new Map<string, LabelledPods>();
  for (const [namespace, own] of groupBy(pods, (pod) => pod.namespace)) byNamespace.set(namespace, labelledPods(own));

  const inNamespace = remember((namespace: string, selector: LabelSelector) =>
    (byNamespace.get(namespace) ?? nowhere).select(selector),
  );
  const namespacesOf = remember((_: string, selector: LabelSelector) => {
    const names = model.namespaces
      .filter((namespace) => selects(selector, namespace) === 'yes')
      .map(({ name }) => name);
    return new Set(names);
  });
  const acrossNamespaces = remember((_: string, selector: LabelSelector) => everywhere.select(selector));
  const inNamespaces = new Map<string, readonly PolicyPod[]>();

  return {
    ...doubtfulSelection(model, pods),
    selectedBy: (policy) => inNamespace(policy.namespace, policy.podSelector),
    peers: (policy, { namespaces, pods: selector }) => {
      if (namespaces === undefined) return inNamespace(policy.namespace ?? '', selector);
      if (namespaces.requirements.length === 0) return acrossNamespaces('', selector);
      const key = `${namespaces.text}\0${selector.text}`;
      const known = inNamespaces.get(key);
      if (known !== undefined) return known;
      const names = namespacesOf('', namespaces);
      // A few namespaces are searched one by one, many by their pods.
      const found =
        names.size <= 4
          ? [...names].flatMap((name) => inNamespace(name, selector))
          : acrossNamespaces('', selector).filter((pod) => names.has(pod.namespace));
      inNamespaces.set(key, found);
      return found;
    },
  };
}

function hasOwnAddress({ isHostNetwork, ips }: PolicyPod): boolean {
  return !isHostNetwork && ips.length > 0;
}

interface LabelledPods {
  readonly select: (selector: LabelSelector) => readonly PolicyPod[];
}

const nowhere: LabelledPods = { select: () => [] };

function labelledPods(pods: readonly PolicyPod[]): LabelledPods {
  const byLabel = new Map<string, PolicyPod[]>();
  for (const pod of pods) {
    for (const [key, value] of Object.entries(pod.labels)) {
      const at = `${key}\0${value}`;
      addTo(byLabel, at, pod);
    }
  }
  return {
    select: (selector) => {
      let candidates = pods;
      for (const { key, operator, values } of selector.requirements) {
        if (operator !== 'In' || values.length !== 1) continue;
        const bucket = byLabel.get(`${key}\0${values[0]}`) ?? [];
        if (bucket.length < candidates.length) candidates = bucket;
      }
      return selector.requirements.length === 0
        ? candidates
        : candidates.filter((pod) => selects(selector, pod) === 'yes');
    },
  };
}

/** Selectors are compared by their canonical texts. */
function remember<T>(
  find: (place: string, selector: LabelSelector) => T,
): (place: string, selector: LabelSelector) => T {
  const known = new Map<string, T>();
  return (place, selector) => {
    const key = `${place}\0${selector.text}`;
    const found = known.get(key) ?? find(place, selector);
    known.set(key, found);
    return found;
  };
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): ReadonlyMap<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    addTo(groups, key, item);
  }
  return groups;
}
