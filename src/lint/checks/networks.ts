import type { Report } from '../../diagnostics/diagnostic.ts';
import { networkOverlaps } from '../../emit/routes/networkOverlaps.ts';
import { readRouteNodes } from '../../emit/routes/routeNode.ts';
import type { LintContext } from '../lintContext.ts';

/** The networks of nodes, Pods and Services: none of their addresses belongs to two. */
export function networks({ cluster, settings }: LintContext, report: Report): void {
  const { serviceCIDRs, clusterCIDRs } = settings;
  // Nodes without addresses are sound manifests, they only have no part in this.
  const nodes = readRouteNodes(cluster.manifests.nodes, () => undefined);
  networkOverlaps(nodes, { nodeSubnets: [], clusterCIDRs, serviceCIDRs }, report);
}
