import { networkOverlaps } from '../derive/routes/networkOverlaps.ts';
import { readRouteNodes } from '../derive/routes/routeNode.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import { objectDiagnostic } from '../diagnostics/objectDiagnostic.ts';
import type { Cluster } from '../model/cluster.ts';
import type { Complain } from '../validate/complain.ts';
import { certificates } from './checks/certificates.ts';
import { cidrs } from './checks/cidrs.ts';
import { clusterPolicies } from './checks/clusterPolicies.ts';
import { deprecated } from './checks/deprecated.ts';
import { endpointObjects } from './checks/endpointObjects.ts';
import { hostPorts } from './checks/hostPorts.ts';
import { ingressBackends } from './checks/ingressBackends.ts';
import { mixedProtocols } from './checks/mixedProtocols.ts';
import { podDnsLimits } from './checks/podDnsLimits.ts';
import { podDnsVersions } from './checks/podDnsVersions.ts';
import { podNames } from './checks/podNames.ts';
import { policies } from './checks/policies.ts';
import { policyRules } from './checks/policyRules.ts';
import { policySelectors } from './checks/policySelectors.ts';
import { protocols } from './checks/protocols.ts';
import { readiness } from './checks/readiness.ts';
import { selectors } from './checks/selectors.ts';
import { serviceAddresses } from './checks/serviceAddresses.ts';
import { targetPorts } from './checks/targetPorts.ts';
import { trafficDistributions } from './checks/trafficDistributions.ts';
import { unsetServiceVariables } from './checks/unsetServiceVariables.ts';
import { gatewayRoutes } from './gatewayRoutes.ts';
import { type LintCheck, type LintContext, type LintSettings, lintContext } from './lintContext.ts';
import type { RawObject } from './rawObject.ts';

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
