import { addTo } from '../../common/addTo.ts';
import type { ClusterPolicy } from '../../model/clusterPolicy.ts';
import type { PolicyModel, PolicyPod } from '../../model/policyModel.ts';
import type { PodSelection } from '../parties/podSelection.ts';

/**
 * The cluster-wide policies that are about a pod or may be, in the order in which they are tried.
 * Policies with equal subjects find the same list of pods, which is gone through once.
 */
export function clusterPoliciesOfPods(
  { clusterPolicies }: PolicyModel,
  selection: PodSelection,
): (pod: PolicyPod) => readonly ClusterPolicy[] {
  const byPods = new Map<readonly PolicyPod[], ClusterPolicy[]>();
  for (const policy of clusterPolicies) {
    for (const pods of [selection.peers(policy, policy.subject), selection.maybePeers(policy, policy.subject)]) {
      if (pods.length > 0) addTo(byPods, pods, policy);
    }
  }
  const lists = new Map<PolicyPod, ClusterPolicy[][]>();
  for (const [pods, policies] of byPods) for (const pod of pods) addTo(lists, pod, policies);
  const place = new Map(clusterPolicies.map((policy, index) => [policy, index]));
  const known = new Map<PolicyPod, readonly ClusterPolicy[]>();
  return (pod) => {
    const own = lists.get(pod);
    if (own === undefined) return [];
    const policies = known.get(pod) ?? own.flat().sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
    known.set(pod, policies);
    return policies;
  };
}
