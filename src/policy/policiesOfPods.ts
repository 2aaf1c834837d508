import { addTo } from '../common/addTo.ts';
import type { Direction, NetPolicy } from '../model/netPolicy.ts';
import type { PolicyModel, PolicyPod } from '../model/policyModel.ts';
import type { PodSelection } from './podSelection.ts';

/** The policies that isolate a pod in a direction, in the model's order; none: the pod is open there. */
export type PoliciesOfPods = (pod: PolicyPod, direction: Direction) => readonly NetPolicy[];

export function policiesOfPods(model: PolicyModel, selection: PodSelection): PoliciesOfPods {
  const byDirection: Readonly<Record<Direction, Map<PolicyPod, NetPolicy[]>>> = {
    ingress: new Map(),
    egress: new Map(),
  };
  for (const policy of model.policies) {
    for (const direction of ['ingress', 'egress'] as const) {
      if (policy[direction] === undefined) continue;
      const policies = byDirection[direction];
      for (const pod of selection.selectedBy(policy)) {
        addTo(policies, pod, policy);
      }
    }
  }
  return (pod, direction) => byDirection[direction].get(pod) ?? [];
}
