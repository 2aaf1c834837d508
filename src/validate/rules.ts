import type { Complain } from './complain.ts';
import type { Manifests } from './manifests.ts';
import type { RuleSettings } from './ruleSettings.ts';
import { clusterPolicies } from './rules/clusterPolicies.ts';
import { duplicateClusterIPs } from './rules/duplicateClusterIPs.ts';
import { duplicateNodePorts } from './rules/duplicateNodePorts.ts';
import { duplicateObjects } from './rules/duplicateObjects.ts';
import { endpointSlices } from './rules/endpointSlices.ts';
import { endpoints } from './rules/endpoints.ts';
import { labels } from './rules/labels.ts';
import { names } from './rules/names.ts';
import { networkPolicies } from './rules/networkPolicies.ts';
import { nodes } from './rules/nodes.ts';
import { podAddresses } from './rules/podAddresses.ts';
import { podDns } from './rules/podDns.ts';
import { pods } from './rules/pods.ts';
import { policiesWithoutPods } from './rules/policiesWithoutPods.ts';
import { serviceAffinity } from './rules/serviceAffinity.ts';
import { serviceCIDRs } from './rules/serviceCIDRs.ts';
import { serviceClusterIPs } from './rules/serviceClusterIPs.ts';
import { serviceExternalIPs } from './rules/serviceExternalIPs.ts';
import { serviceLoadBalancer } from './rules/serviceLoadBalancer.ts';
import { servicePorts } from './rules/servicePorts.ts';
import { serviceSourceRanges } from './rules/serviceSourceRanges.ts';
import { serviceTrafficPolicy } from './rules/serviceTrafficPolicy.ts';
import { serviceType } from './rules/serviceType.ts';

/** Checks values that have the right form: of one kind, each object by itself or all among each other. */
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
