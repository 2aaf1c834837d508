import type { Complain } from '../../fields/complain.ts';
import { namespaceOf } from '../../fields/describe.ts';
import type { Manifests } from '../../kinds/manifests.ts';

/** A note where policies stand in a namespace of which no pods are given: they have nothing to act on. */
export function policiesWithoutPods(manifests: Manifests, complain: Complain): void {
  // Workloads count: pods may be made up of them.
  const inhabited = new Set(
    [...manifests.pods, ...manifests.workloads].map(({ value }) => namespaceOf(value.metadata)),
  );
  const seen = new Set<string>();
  for (const policy of manifests.networkPolicies) {
    const namespace = namespaceOf(policy.value.metadata);
    if (inhabited.has(namespace) || seen.has(namespace)) continue;
    seen.add(namespace);
    complain(policy, {
      code: 'policy-without-pods',
      path: ['metadata'],
      message: `no pods of namespace ${namespace} are given, so its policies have nothing to act on`,
    });
  }
}
