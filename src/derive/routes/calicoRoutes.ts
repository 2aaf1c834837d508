import { sha1 } from '@noble/hashes/legacy.js';
import type { Cidr } from '../../common/addresses/cidr.ts';
import { type Family, familyNames } from '../../common/addresses/family.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { type BlockSources, calicoBlocks, type PlacedAddress } from './calicoBlocks.ts';
import { type Links, linksOf } from './links.ts';
import { plannedRoute, sortedEntries } from './nodeEntries.ts';
import { type RouteNode, reportNoAddress } from './routeNode.ts';
import type { RoutesOptions } from './routesOptions.ts';
import type { NodeEntries, PlannedRoute } from './routesPlan.ts';

/** A range, or one address, and the node that it is reached through. */
interface Destination {
  readonly cidr: Cidr;
  readonly node: RouteNode;
}

/**
 * Calico's routes: other nodes' blocks by BGP (bird), or by Felix for VXLAN (protocol 80); a blackhole for the node's
 * own blocks, so that traffic to addresses without a Pod does not leave it; a route to each of its own Pods.
 */
export function calicoRoutes(
  sources: BlockSources,
  nodes: readonly RouteNode[],
  options: RoutesOptions,
  report: Report,
): (node: RouteNode) => NodeEntries {
  const { blocks, strays, pods } = calicoBlocks(sources, nodes, options.calico.blockSize, report);
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const own = new Map<string, PlannedRoute[]>();
  const destinations: Destination[] = [];
  for (const { cidr, node } of [...blocks, ...strays]) {
    const owner = byName.get(node);
    if (owner !== undefined) destinations.push({ cidr, node: owner });
  }
  const { tunnel } = options.calico;
  const proto = tunnel === 'vxlan' ? '80' : 'bird';
  for (const { cidr, node } of blocks) addRoute(own, node, plannedRoute(cidr, { isBlackhole: true, proto }));
  for (const [node, addresses] of pods) for (const one of addresses) addRoute(own, node, podRoute(one));
  const links = linksOf(options.nodeSubnets);
  reportUnreachable(nodes, destinations, options, links, report);
  return (node) => {
    const routes = own.get(node.name)?.slice() ?? [];
    for (const destination of destinations) {
      if (destination.node.name === node.name) continue;
      const route = routeThrough(node, destination, options, links);
      if (route !== undefined) routes.push(route);
    }
    return sortedEntries({ routes });
  };
}

function addRoute(own: Map<string, PlannedRoute[]>, node: string, route: PlannedRoute): void {
  const routes = own.get(node);
  if (routes) routes.push(route);
  else own.set(node, [route]);
}

/** Calico names the node's end of a Pod's link by a hash. The kernel knows no scopes in IPv6. */
function podRoute({ cidr, namespace, pod }: PlacedAddress): PlannedRoute {
  const hash = hexOf(sha1(new TextEncoder().encode(`${namespace}.${pod}`))).slice(0, 11);
  const dev = `cali${hash}`;
  return plannedRoute(cidr, cidr.family === 'ipv4' ? { dev, scope: 'link' } : { dev });
}

function routeThrough(
  node: RouteNode,
  { cidr, node: peer }: Destination,
  options: RoutesOptions,
  links: Links,
): PlannedRoute | undefined {
  const { family } = cidr;
  const { isCrossSubnetOnly, tunnel } = options.calico;
  const [here, there] = [node.ips[family], peer.ips[family]];
  const sharesLink = there !== undefined && links.share(here, there);
  if (!usesTunnel(family, options) || (isCrossSubnetOnly && sharesLink)) {
    if (there === undefined) return undefined;
    const proto = tunnel === 'vxlan' ? '80' : 'bird';
    const isRefused = links.isOffLink(node, there);
    return plannedRoute(cidr, { via: there, dev: options.iface, proto, isRefused });
  }
  if (tunnel === 'vxlan') {
    const via = peer.tunnelAddresses[family];
    const dev = family === 'ipv4' ? 'vxlan.calico' : 'vxlan-v6.calico';
    return via === undefined ? undefined : plannedRoute(cidr, { via, dev, proto: '80', isOnlink: true });
  }
  return there === undefined
    ? undefined
    : plannedRoute(cidr, { via: there, dev: 'tunl0', proto: 'bird', isOnlink: true });
}

/** IPIP carries IPv4 only. */
function usesTunnel(family: Family, { calico }: RoutesOptions): boolean {
  return calico.tunnel === 'vxlan' || (calico.tunnel === 'ipip' && family === 'ipv4');
}

/** Names each node that some planned node cannot be given a route to, once a family. */
function reportUnreachable(
  nodes: readonly RouteNode[],
  destinations: readonly Destination[],
  options: RoutesOptions,
  links: Links,
  report: Report,
): void {
  const judged = new Set<string>();
  const planned = nodes.filter(({ name }) => options.node === undefined || options.node === name);
  for (const { cidr, node: peer } of destinations) {
    const { family } = cidr;
    const key = `${family} ${peer.name}`;
    if (judged.has(key)) continue;
    judged.add(key);
    const others = planned.filter(({ name }) => name !== peer.name);
    if (others.every((node) => routeThrough(node, { cidr, node: peer }, options, links) !== undefined)) continue;
    if (peer.ips[family] === undefined) reportNoAddress(peer, family, report);
    else reportNoTunnelAddress(peer, family, report);
  }
}

function reportNoTunnelAddress(node: RouteNode, family: Family, report: Report): void {
  report({
    code: 'tunnel-address-unknown',
    severity: 'warning',
    message: `the address of Calico's VXLAN device on Node ${node.name} is not known: its blocks are not routed through the tunnel`,
    at: [node.origin],
    hint: `Calico writes it to the Node's annotation projectcalico.org/${familyNames[family]}VXLANTunnelAddr`,
  });
}

function hexOf(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
