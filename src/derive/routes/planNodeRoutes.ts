import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { NodeObject } from '../../validate/kinds/manifests.ts';
import { bridgeRoutes, routerRoutes } from './bridgeRoutes.ts';
import type { BlockSources } from './calicoBlocks.ts';
import { calicoRoutes } from './calicoRoutes.ts';
import { flannelRoutes } from './flannelRoutes.ts';
import { kindnetRoutes } from './kindnetRoutes.ts';
import { reportOffLink } from './links.ts';
import { networkOverlaps } from './networkOverlaps.ts';
import { families } from './nodeEntries.ts';
import { type RouteNode, readRouteNodes } from './routeNode.ts';
import type { RoutesOptions } from './routesOptions.ts';
import type { NodeEntries, RoutesPlan } from './routesPlan.ts';

/** What routes are made from. */
export interface RouteSources extends BlockSources {
  readonly nodes: readonly Manifest<NodeObject>[];
}

/** What the plug-in sets on each node, or on `options.node` alone. Undefined: an error was reported. */
export function planNodeRoutes(
  sources: RouteSources,
  options: RoutesOptions,
  reportAll: Report,
): RoutesPlan | undefined {
  let hasFindings = false;
  const report: Report = (diagnostic) => {
    if (findings.has(diagnostic.code)) hasFindings = true;
    reportAll(diagnostic);
  };
  const nodes = readRouteNodes(sources.nodes, report);
  const planned = options.node === undefined ? nodes : nodes.filter(({ name }) => name === options.node);
  if (planned.length === 0) {
    reportNoNode(nodes, options, report);
    return undefined;
  }
  if (options.cni !== 'calico') reportWithoutRange(nodes, report);
  const entriesOf = plugInEntries(sources, nodes, options, report);
  if (options.nodeSubnets.length > 0) {
    for (const node of planned) {
      const refused = entriesOf(node).routes.filter(({ isRefused }) => isRefused);
      reportOffLink(node, [...new Set(refused.map(({ via }) => via ?? ''))], report);
    }
  }
  const router = options.cni === 'bridge' && options.node === undefined ? routerRoutes(nodes, report) : [];
  const overlaps = networkOverlaps(nodes, options, report);
  return {
    cni: options.cni,
    nodes: planned.map((node) => ({ name: node.name, entries: () => entriesOf(node) })),
    router,
    overlaps,
    hasFindings,
  };
}

const findings: ReadonlySet<string> = new Set([
  'gateway-not-on-link',
  'tunnel-address-unknown',
  'network-overlap',
  'pod-cidr-overlap',
  'pod-cidr-outside',
]);

function plugInEntries(
  sources: RouteSources,
  nodes: readonly RouteNode[],
  options: RoutesOptions,
  report: Report,
): (node: RouteNode) => NodeEntries {
  switch (options.cni) {
    case 'flannel':
      return flannelRoutes(nodes, options, report);
    case 'calico':
      return calicoRoutes(sources, nodes, options, report);
    case 'kindnet':
      return kindnetRoutes(nodes, options, report);
    case 'bridge':
      return bridgeRoutes;
  }
}

function reportWithoutRange(nodes: readonly RouteNode[], report: Report): void {
  for (const { name, podCIDRs, origin } of nodes) {
    if (families.some((family) => podCIDRs[family] !== undefined)) continue;
    report({
      code: 'node-without-pod-cidr',
      severity: 'warning',
      message: `Node ${name} has no Pod range: no node has a route to its Pods`,
      at: [{ ...origin, path: [...origin.path, 'spec', 'podCIDRs'] }],
      hint: 'the controller manager assigns ranges with --allocate-node-cidrs; read the Node from the cluster',
    });
  }
}

function reportNoNode(nodes: readonly RouteNode[], { node }: RoutesOptions, report: Report): void {
  if (node !== undefined && nodes.length > 0) {
    const names = nodes.map(({ name }) => name);
    report({
      code: 'bad-option',
      severity: 'error',
      message: `no Node of the input is named "${node}" and has an address`,
      at: [],
      hint: `Nodes given: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}`,
    });
    return;
  }
  report({
    code: 'no-nodes',
    severity: 'error',
    message: 'no Node with an address is given, so there is nothing to route between',
    at: [],
    hint: 'kubectl get nodes -o yaml',
  });
}
