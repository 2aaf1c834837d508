import { networkOverlaps } from '../derive/routes/networkOverlaps.ts';
import { readRouteNodes } from '../derive/routes/routeNode.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import { objectDiagnostic } from '../diagnostics/objectDiagnostic.ts';
import type { Cluster } from '../model/cluster.ts';
import type { Complain } from '../validate/fields/complain.ts';
import { endpointObjects } from './endpoints/endpointObjects.ts';
import { certificates } from './kinds/certificates.ts';
import { cidrs } from './kinds/cidrs.ts';
import { deprecated } from './kinds/deprecated.ts';
import { gatewayRoutes } from './kinds/gatewayRoutes.ts';
import { ingressBackends } from './kinds/ingressBackends.ts';
import type { RawObject } from './kinds/rawObject.ts';
import { type LintCheck, type LintContext, type LintSettings, lintContext } from './lintContext.ts';
import { hostPorts } from './pods/hostPorts.ts';
import { podDnsLimits } from './pods/podDnsLimits.ts';
import { podDnsVersions } from './pods/podDnsVersions.ts';
import { podNames } from './pods/podNames.ts';
import { readiness } from './pods/readiness.ts';
import { unsetServiceVariables } from './pods/unsetServiceVariables.ts';
import { clusterPolicies } from './policies/clusterPolicies.ts';
import { policies } from './policies/policies.ts';
import { policyRules } from './policies/policyRules.ts';
import { policySelectors } from './policies/policySelectors.ts';
import { mixedProtocols } from './services/mixedProtocols.ts';
import { protocols } from './services/protocols.ts';
import { selectors } from './services/selectors.ts';
import { serviceAddresses } from './services/serviceAddresses.ts';
import { targetPorts } from './services/targetPorts.ts';
import { trafficDistributions } from './services/trafficDistributions.ts';

/** Reports what the API server takes and what does not work, or means something else than it looks like. */
export function lintCluster(
  cluster: Cluster,
  settings: LintSettings,
  objects: readonly RawObject[],
  report: Report,
): void {
  const complain: Complain = (subject, problem) => report(objectDiagnostic(subject.origin, problem));
  const context = lintContext(cluster, settings, complain);
  for (const check of checks) check(context);
  gatewayRoutes(objects, context.services, context.namespacesWithServices, report);
  networks(context, report);
}

/** In the order in which they report. */
const checks: readonly LintCheck[] = [
  serviceAddresses,
  selectors,
  targetPorts,
  endpointObjects,
  hostPorts,
  podNames,
  podDnsLimits,
  unsetServiceVariables,
  ingressBackends,
  certificates,
  policies,
  policySelectors,
  policyRules,
  clusterPolicies,
  protocols,
  mixedProtocols,
  podDnsVersions,
  readiness,
  trafficDistributions,
  deprecated,
  cidrs,
];

/** The networks of nodes, Pods and Services: none of their addresses belongs to two. */
function networks({ cluster, settings }: LintContext, report: Report): void {
  const { serviceCIDRs, clusterCIDRs } = settings;
  // Nodes without addresses are sound manifests, they only have no part in this.
  const nodes = readRouteNodes(cluster.manifests.nodes, () => undefined);
  networkOverlaps(nodes, { nodeSubnets: [], clusterCIDRs, serviceCIDRs }, report);
}
