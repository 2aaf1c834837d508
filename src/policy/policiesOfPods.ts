import { addTo } from '../common/addTo.ts';
import type { Direction, NetPolicy } from '../model/netPolicy.ts';
import type { PolicyModel, PolicyPod } from '../model/policyModel.ts';

/** The policies that isolate a pod in a direction, in the model's order; none: the pod is open there. */
export type PoliciesOfPods = (pod: PolicyPod, direction: Direction) => readonly NetPolicy[];

/** `selectedBy`: the pods that a policy is about, or those that it may be about. */
export function policiesOfPods(
  model: PolicyModel,
  selectedBy: (policy: NetPolicy) => readonly PolicyPod[],
): PoliciesOfPods {
  const byDirection: Readonly<Record<Direction, Map<PolicyPod, NetPolicy[]>>> = {
    ingress: new Map(),
    egress: new Map(),
  };
  for (const policy of model.policies) {
    for (const direction of ['ingress', 'egress'] as const) {
      if (policy[direction] === undefined) continue;
      const policies = byDirection[direction];
      for (const pod of selectedBy(policy)) addTo(policies, pod, policy);
    }
  }
  return (pod, direction) => byDirection[direction].get(pod) ?? [];
}
