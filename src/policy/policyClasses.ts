import { cidrContains } from '../common/addresses/cidr.ts';
import type { PolicyModel, PolicyPod } from '../model/policyModel.ts';
import type { Party } from './parties/party.ts';
import { podSelection } from './parties/podSelection.ts';

/**
 * Numbers of classes: Pods in one class get the same treatment from everybody. Classes differ in the selectors of
 * policies that find their Pods or may, the blocks that contain their addresses, their named ports, and their node if
 * host processes are judged too. Labels that no selector reads do not make classes.
 */
export function policyClasses(model: PolicyModel): (pod: PolicyPod, party: Party) => number {
  const found = foundBy(model);
  const blocks = blocksOf(model);
  const hasHostNetwork = model.pods.some((pod) => pod.isHostNetwork);
  const hasOthers = model.otherPolicies.length > 0;
  const numbers = new Map<string, number>();
  return (pod, party) => {
    const key = JSON.stringify([
      found.get(pod) ?? [],
      // Policies of other kinds are about namespaces.
      hasOthers ? pod.namespace : '',
      pod.hasKnownPorts ? pod.namedPorts : '?',
      blocks.map((cidr) => Number(cidrContains(cidr, party.ip))).join(''),
      // A node's traffic depends on where it goes, and pods that share an address are judged together.
      party.pods.length === 1 ? (hasHostNetwork ? (pod.node ?? '') : '') : party.ip,
    ]);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  };
}

/** Which lists of selected Pods a Pod is in, by number. Equal selectors give one list, which is gone through once. */
function foundBy(model: PolicyModel): ReadonlyMap<PolicyPod, readonly number[]> {
  const selection = podSelection(model);
  const lists = new Set<readonly PolicyPod[]>();
  for (const policy of model.policies) {
    lists.add(selection.selectedBy(policy)).add(selection.maybeSelectedBy(policy));
    for (const { peers } of [...(policy.ingress ?? []), ...(policy.egress ?? [])]) {
      for (const peer of peers?.pods ?? []) {
        lists.add(selection.peers(policy, peer)).add(selection.maybePeers(policy, peer));
      }
    }
  }
  for (const policy of model.clusterPolicies) {
    const peers = [...policy.ingress, ...policy.egress].flatMap((rule) => rule.peers);
    for (const peer of [policy.subject, ...peers]) {
      if (peer.kind === 'pods') lists.add(selection.peers(policy, peer)).add(selection.maybePeers(policy, peer));
    }
  }
  const found = new Map<PolicyPod, number[]>();
  let number = 0;
  for (const list of lists) {
    number += 1;
    for (const pod of list) {
      const own = found.get(pod) ?? [];
      own.push(number);
      found.set(pod, own);
    }
  }
  return found;
}

/** Every network that a policy names, once. */
function blocksOf({ policies, clusterPolicies }: PolicyModel) {
  const written = policies.flatMap(({ ingress, egress }) =>
    [...(ingress ?? []), ...(egress ?? [])]
      .flatMap(({ peers }) => peers?.all ?? [])
      .flatMap((peer) => (peer.kind === 'ipBlock' ? [peer.cidr, ...peer.except] : [])),
  );
  const networks = clusterPolicies.flatMap(({ egress }) =>
    egress.flatMap(({ peers }) => peers.flatMap((peer) => (peer.kind === 'networks' ? peer.cidrs : []))),
  );
  return [...new Map([...written, ...networks].map((cidr) => [cidr.text, cidr] as const)).values()];
}
