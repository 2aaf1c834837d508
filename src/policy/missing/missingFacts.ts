import { selects } from '../../model/labelSelector.ts';
import type { Direction, NetPolicy, PodPeer } from '../../model/netPolicy.ts';
import type { PolicyModel, PolicyNamespace, PolicyPod } from '../../model/policyModel.ts';
import type { PeerHome } from '../parties/peerHome.ts';
import type { PodSelection } from '../parties/podSelection.ts';
import { distinctFacts, type MissingFact } from './missingFact.ts';

/** One side of a connection that could not be judged. */
export interface DoubtfulSide {
  readonly direction: Direction;
  readonly subject: { readonly pods: readonly PolicyPod[] };
  readonly other: { readonly pods: readonly PolicyPod[] };
  readonly receiver: { readonly pods: readonly PolicyPod[] };
  /** Policies that isolate the subject, and those that may. */
  readonly sure: readonly NetPolicy[];
  readonly maybe: readonly NetPolicy[];
}

/** Finds what would have to be known to judge a side. */
export function missingFacts(
  { namespaces }: PolicyModel,
  selection: PodSelection,
): (side: DoubtfulSide) => readonly MissingFact[] {
  const namespaceNamed = new Map(namespaces.map((namespace) => [namespace.name, namespace]));
  return ({ direction, subject, other, receiver, sure, maybe }) => {
    const facts: MissingFact[] = [];
    if (maybe.length > 0) facts.push(...labelsOf(subject.pods));
    for (const policy of [...sure, ...maybe]) {
      for (const rule of policy[direction] ?? []) {
        facts.push(...peerFacts(selection, namespaceNamed, policy, rule.peers?.pods ?? [], other.pods));
        if (rule.ports?.some(({ kind }) => kind === 'named')) facts.push(...portsOf(receiver.pods));
      }
    }
    return distinctFacts(facts);
  };
}

/** What a rule asks about Pods, and the input does not show. */
export function peerFacts(
  selection: PodSelection,
  namespaceNamed: ReadonlyMap<string, PolicyNamespace>,
  policy: PeerHome,
  peers: readonly PodPeer[],
  pods: readonly PolicyPod[],
): readonly MissingFact[] {
  return peers.flatMap((peer) => {
    const doubtful = new Set(selection.maybePeers(policy, peer));
    return pods
      .filter((pod) => doubtful.has(pod))
      .flatMap((pod): readonly MissingFact[] => {
        const namespace = namespaceNamed.get(pod.namespace);
        const isNamespaceOpen =
          peer.namespaces !== undefined && namespace !== undefined && selects(peer.namespaces, namespace) === 'maybe';
        return [
          ...(selects(peer.pods, pod) === 'maybe' ? labelsOf([pod]) : []),
          ...(isNamespaceOpen ? [{ kind: 'namespaceLabels', of: pod.namespace } as const] : []),
        ];
      });
  });
}

export function labelsOf(pods: readonly PolicyPod[]): readonly MissingFact[] {
  return pods.filter(({ hasKnownLabels }) => !hasKnownLabels).map(({ id }) => ({ kind: 'podLabels', of: id }));
}

export function portsOf(pods: readonly PolicyPod[]): readonly MissingFact[] {
  return pods.filter(({ hasKnownPorts }) => !hasKnownPorts).map(({ id }) => ({ kind: 'portNames', of: id }));
}
