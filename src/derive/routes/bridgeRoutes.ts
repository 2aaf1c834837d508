import type { Report } from '../../diagnostics/diagnostic.ts';
import { bridgeRoute, compareRoutes, families, plannedRoute, sortedEntries } from './nodeEntries.ts';
import { type RouteNode, reportNoAddress } from './routeNode.ts';
import type { NodeEntries, PlannedRoute } from './routesPlan.ts';

/** A bridge of the node's own Pods and nothing to other nodes. */
export function bridgeRoutes(node: RouteNode): NodeEntries {
  return sortedEntries({ routes: ownRoutes(node) });
}

/** The routes to a node's own Pods. */
export function ownRoutes(node: RouteNode): PlannedRoute[] {
  return families
    .map((family) => node.podCIDRs[family])
    .filter((range) => range !== undefined)
    .map(bridgeRoute);
}

/** What the router between the nodes needs: every range through its node. */
export function routerRoutes(nodes: readonly RouteNode[], report: Report): readonly PlannedRoute[] {
  const routes: PlannedRoute[] = [];
  for (const node of nodes) {
    for (const family of families) {
      const [range, via] = [node.podCIDRs[family], node.ips[family]];
      if (range === undefined) continue;
      if (via === undefined) reportNoAddress(node, family, report);
      else routes.push(plannedRoute(range, { via }));
    }
  }
  return routes.sort(compareRoutes);
}
