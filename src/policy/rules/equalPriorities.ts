import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { PolicyModel } from '../../model/policyModel.ts';

/** Two policies of one place in one tier, of which a cluster may ask any first: these rules ask them by name. */
export function equalPriorities({ clusterPolicies }: PolicyModel): readonly Diagnostic[] {
  return clusterPolicies.flatMap((policy, index): readonly Diagnostic[] => {
    const before = clusterPolicies[index - 1];
    const isEqual = before?.tier === policy.tier && before.priority === policy.priority;
    // One without a place among others comes last here.
    const isLoose = before?.tier === policy.tier && policy.priority === undefined;
    if (before === undefined || !(isEqual || isLoose)) return [];
    const message = isEqual
      ? `${before.id} and ${policy.id} have the same priority: a cluster may ask either first, these rules ask by name`
      : `${policy.id} has no priority beside ${before.id}: a cluster may ask either first, these rules ask it last`;
    return [{ code: 'policy-order-open', severity: 'warning', message, at: [policy.origin, before.origin] }];
  });
}
