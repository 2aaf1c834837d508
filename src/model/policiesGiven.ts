import type { PolicyManifests } from './policyModel.ts';

/** How many policies there are that rules can be made of. */
export function policiesGiven({
  networkPolicies,
  clusterPolicies = [],
}: Pick<PolicyManifests, 'networkPolicies' | 'clusterPolicies'>): number {
  return networkPolicies.length + clusterPolicies.length;
}
