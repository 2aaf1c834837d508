import { pushAll } from '../../common/pushAll.ts';
import type { ClusterPolicy } from '../../model/clusterPolicy.ts';
import { selects } from '../../model/labelSelector.ts';
import type { Direction, NetPolicy, NetPolicyRule, PodPeer } from '../../model/netPolicy.ts';
import type { PolicyModel, PolicyPod } from '../../model/policyModel.ts';
import { podSelection } from '../parties/podSelection.ts';
import { distinctFacts, type MissingFact } from './missingFact.ts';
import { labelsOf, peerFacts, portsOf } from './missingFacts.ts';

/**
 * What the rules of a node's policies hang on and the input does not show: labels of its Pods, where a policy of their
 * namespace asks about labels; labels and addresses of Pods, and labels of Namespaces, that its policies name as peers;
 * names of ports at the receiving end. `node` undefined: of all Pods.
 */
export function missingPolicyFacts(model: PolicyModel, node: string | undefined): readonly MissingFact[] {
  if (isAllKnown(model)) return [];
  const isHere = (pod: PolicyPod) => node === undefined || pod.node === undefined || pod.node === node;
  const selection = podSelection(model);
  const others = model.pods.filter(({ isHostNetwork, ips }) => !isHostNetwork && ips.length > 0);
  const silent = podSelection(model, ({ isHostNetwork, hasKnownAddress }) => !isHostNetwork && !hasKnownAddress);
  const namespaceNamed = new Map(model.namespaces.map((namespace) => [namespace.name, namespace]));
  const facts: MissingFact[] = [];
  const addRules = (policy: NetPolicy | ClusterPolicy, subjects: readonly PolicyPod[]) => {
    for (const { direction, pods, ports } of rulesOf(policy)) {
      pushAll(facts, peerFacts(selection, namespaceNamed, policy, pods, others));
      for (const peer of pods) pushAll(facts, addressesOf(silent.peers(policy, peer)));
      const isNamed = ports?.some(({ kind }) => kind === 'named') ?? false;
      if (isNamed) pushAll(facts, portsOf(direction === 'ingress' ? subjects : others));
    }
  };
  for (const policy of model.policies) {
    const maybe = selection.maybeSelectedBy(policy).filter(isHere);
    const subjects = [...selection.selectedBy(policy).filter(isHere), ...maybe];
    if (subjects.length === 0) continue;
    pushAll(facts, labelsOf(maybe));
    addRules(policy, subjects);
  }
  for (const policy of model.clusterPolicies) {
    const maybe = selection.maybePeers(policy, policy.subject).filter(isHere);
    const subjects = [...selection.peers(policy, policy.subject).filter(isHere), ...maybe];
    if (subjects.length === 0) continue;
    pushAll(facts, peerFacts(selection, namespaceNamed, policy, [policy.subject], maybe));
    addRules(policy, subjects);
    for (const peer of policy.egress.flatMap(({ peers }) => peers)) {
      if (peer.kind !== 'nodes') continue;
      const open = model.nodes.filter((each) => selects(peer.nodes, each) === 'maybe');
      pushAll(
        facts,
        open.map(({ name }): MissingFact => ({ kind: 'nodeLabels', of: name })),
      );
    }
  }
  return distinctFacts(facts);
}

function isAllKnown({ pods, namespaces, nodes, clusterPolicies }: PolicyModel): boolean {
  return (
    (clusterPolicies.length === 0 || nodes.every(({ hasKnownLabels }) => hasKnownLabels)) &&
    pods.every((pod) => pod.hasKnownLabels && pod.hasKnownPorts && pod.hasKnownAddress) &&
    namespaces.every(({ hasKnownLabels }) => hasKnownLabels)
  );
}

/** The rules of either kind of policy: their peers by selectors, and their ports. */
function rulesOf(policy: NetPolicy | ClusterPolicy): readonly {
  readonly direction: Direction;
  readonly pods: readonly PodPeer[];
  readonly ports: NetPolicyRule['ports'];
}[] {
  return (['ingress', 'egress'] as const).flatMap((direction) =>
    policy.kind === 'clusterPolicy'
      ? policy[direction].map(({ peers, ports }) => ({
          direction,
          pods: peers.filter((peer) => peer.kind === 'pods'),
          ports,
        }))
      : (policy[direction] ?? []).map(({ peers, ports }) => ({ direction, pods: peers?.pods ?? [], ports })),
  );
}

function addressesOf(pods: readonly PolicyPod[]): readonly MissingFact[] {
  return pods.map(({ id }) => ({ kind: 'podAddresses', of: id }));
}
