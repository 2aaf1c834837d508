import type { Report } from '../../diagnostics/diagnostic.ts';
import { linksOf } from './links.ts';
import { families, plannedRoute, sortedEntries } from './nodeEntries.ts';
import { type RouteNode, reportNoAddress } from './routeNode.ts';
import type { RoutesOptions } from './routesOptions.ts';
import type { NodeEntries, PlannedRoute } from './routesPlan.ts';

/** kindnetd routes each other node's range through that node. Its own Pods have point-to-point devices of their own. */
export function kindnetRoutes(
  nodes: readonly RouteNode[],
  options: RoutesOptions,
  report: Report,
): (node: RouteNode) => NodeEntries {
  const links = linksOf(options.nodeSubnets);
  for (const node of nodes) {
    for (const family of families) {
      if (node.podCIDRs[family] !== undefined && node.ips[family] === undefined) reportNoAddress(node, family, report);
    }
  }
  return (node) => {
    const routes: PlannedRoute[] = [];
    for (const peer of nodes) {
      if (peer.name === node.name) continue;
      for (const family of families) {
        const [range, via] = [peer.podCIDRs[family], peer.ips[family]];
        if (range === undefined || via === undefined) continue;
        routes.push(plannedRoute(range, { via, dev: options.iface, isRefused: links.isOffLink(node, via) }));
      }
    }
    return sortedEntries({ routes });
  };
}
