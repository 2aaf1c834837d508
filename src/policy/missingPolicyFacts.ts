import { pushAll } from '../common/pushAll.ts';
import type { Direction, NetPolicy, NetPolicyRule } from '../model/netPolicy.ts';
import type { PolicyModel, PolicyPod } from '../model/policyModel.ts';
import { distinctFacts, type MissingFact } from './missingFact.ts';
import { labelsOf, peerFacts, portsOf } from './missingFacts.ts';
import { podSelection } from './podSelection.ts';

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
  for (const policy of model.policies) {
    const maybe = selection.maybeSelectedBy(policy).filter(isHere);
    const subjects = [...selection.selectedBy(policy).filter(isHere), ...maybe];
    if (subjects.length === 0) continue;
    pushAll(facts, labelsOf(maybe));
    for (const { direction, rule } of rulesOf(policy)) {
      pushAll(facts, peerFacts(selection, namespaceNamed, policy, rule.peers?.pods ?? [], others));
      for (const peer of rule.peers?.pods ?? []) pushAll(facts, addressesOf(silent.peers(policy, peer)));
      const isNamed = rule.ports?.some(({ kind }) => kind === 'named') ?? false;
      if (isNamed) pushAll(facts, portsOf(direction === 'ingress' ? subjects : others));
    }
  }
  return distinctFacts(facts);
}

function isAllKnown({ pods, namespaces }: PolicyModel): boolean {
  return (
    pods.every((pod) => pod.hasKnownLabels && pod.hasKnownPorts && pod.hasKnownAddress) &&
    namespaces.every(({ hasKnownLabels }) => hasKnownLabels)
  );
}

function rulesOf(policy: NetPolicy): readonly { readonly direction: Direction; readonly rule: NetPolicyRule }[] {
  return (['ingress', 'egress'] as const).flatMap((direction) =>
    (policy[direction] ?? []).map((rule) => ({ direction, rule })),
  );
}

function addressesOf(pods: readonly PolicyPod[]): readonly MissingFact[] {
  return pods.map(({ id }) => ({ kind: 'podAddresses', of: id }));
}
