import type { Complain } from './fields/complain.ts';
import type { Claims } from './keptClaims.ts';
import type { Manifests } from './kinds/manifests.ts';
import type { RuleSettings } from './ruleSettings.ts';
import { duplicateObjects, objectNames } from './rules/duplicateObjects.ts';
import { endpointSlices } from './rules/endpointSlices.ts';
import { endpoints } from './rules/endpoints.ts';
import { labels } from './rules/labels.ts';
import { names } from './rules/names.ts';
import { nodes } from './rules/nodes.ts';
import { podAddresses } from './rules/podAddresses.ts';
import { podDns } from './rules/podDns.ts';
import { pods } from './rules/pods.ts';
import { clusterPolicies } from './rules/policies/clusterPolicies.ts';
import { networkPolicies } from './rules/policies/networkPolicies.ts';
import { policiesWithoutPods } from './rules/policies/policiesWithoutPods.ts';
import { clusterIPs, duplicateClusterIPs } from './rules/services/duplicateClusterIPs.ts';
import { duplicateNodePorts, nodePorts } from './rules/services/duplicateNodePorts.ts';
import { serviceAffinity } from './rules/services/serviceAffinity.ts';
import { serviceCIDRs } from './rules/services/serviceCIDRs.ts';
import { serviceClusterIPs } from './rules/services/serviceClusterIPs.ts';
import { serviceExternalIPs } from './rules/services/serviceExternalIPs.ts';
import { serviceLoadBalancer } from './rules/services/serviceLoadBalancer.ts';
import { servicePorts } from './rules/services/servicePorts.ts';
import { serviceSourceRanges } from './rules/services/serviceSourceRanges.ts';
import { serviceTrafficPolicy } from './rules/services/serviceTrafficPolicy.ts';
import { serviceType } from './rules/services/serviceType.ts';

/** Checks values that have the right form: each object by itself, or all among each other. */
export type ObjectRule = (manifests: Manifests, complain: Complain, settings: RuleSettings) => void;

/** In the order their findings are reported. */
export const rules: readonly ObjectRule[] = [
  names,
  labels,
  duplicateObjects,
  serviceType,
  servicePorts,
  serviceClusterIPs,
  serviceExternalIPs,
  serviceCIDRs,
  serviceLoadBalancer,
  serviceSourceRanges,
  serviceTrafficPolicy,
  serviceAffinity,
  duplicateClusterIPs,
  duplicateNodePorts,
  endpoints,
  endpointSlices,
  nodes,
  pods,
  podDns,
  podAddresses,
  networkPolicies,
  clusterPolicies,
  policiesWithoutPods,
];

/** Those that judge objects among each other: an object that is sound by itself may still be wrong beside another. */
export const rulesOfAll: ReadonlySet<ObjectRule> = new Set<ObjectRule>([
  duplicateObjects,
  duplicateClusterIPs,
  duplicateNodePorts,
  podAddresses,
  policiesWithoutPods,
]);

/** What some of them look for twice, and nothing else once each object is sound by itself. */
export const claimsOfRules: ReadonlyMap<ObjectRule, Claims> = new Map<ObjectRule, Claims>([
  [duplicateObjects, objectNames],
  [duplicateClusterIPs, clusterIPs],
  [duplicateNodePorts, nodePorts],
]);
