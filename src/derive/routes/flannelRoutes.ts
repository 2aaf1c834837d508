import type { Cidr } from '../../common/addresses/cidr.ts';
import type { Family } from '../../common/addresses/family.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import { ownRoutes } from './bridgeRoutes.ts';
import { type Links, linksOf } from './links.ts';
import { bridgeRoute, families, firstAddress, hostLength, plannedRoute, sortedEntries } from './nodeEntries.ts';
import { assumedVtepMAC, type RouteNode, reportNoAddress } from './routeNode.ts';
import type { RoutesOptions } from './routesOptions.ts';
import type { DeviceAddress, FdbEntry, Neighbour, NodeEntries, PlannedRoute } from './routesPlan.ts';

/** What one node tells all others, worked out and reported once. */
interface Peer {
  readonly name: string;
  readonly family: Family;
  readonly range: Cidr;
  readonly publicIP: string;
  readonly mac: string;
}

/**
 * The entries of flannel's back ends. host-gw routes through the other node itself; vxlan through a device whose
 * neighbors and forwarding entries are set by hand; udp, and vxlan before 0.9, send all of the Pod network to one device.
 */
export function flannelRoutes(
  nodes: readonly RouteNode[],
  options: RoutesOptions,
  report: Report,
): (node: RouteNode) => NodeEntries {
  const sendsAllToOneDevice = options.backend === 'udp' || (options.backend === 'vxlan' && !options.hasRoutePerNode);
  if (sendsAllToOneDevice) {
    const network = options.clusterCIDRs.find(({ family }) => family === 'ipv4');
    if (network === undefined) reportMissingNetwork(options, report);
    return (node) => oneDevice(node, network, options);
  }
  const links = linksOf(options.nodeSubnets);
  const usesTunnel = options.backend === 'vxlan';
  const peers = readPeers(nodes, usesTunnel, options, links, report);
  return (node) => (usesTunnel ? vxlan(node, peers, options, links) : hostGateway(node, peers, options, links));
}

/** The device of a family; IPv6 has its own. */
function vxlanDevice(family: Family, vni: number): string {
  return family === 'ipv4' ? `flannel.${vni}` : `flannel-v6.${vni}`;
}

function vxlan(node: RouteNode, peers: readonly Peer[], options: RoutesOptions, links: Links): NodeEntries {
  const routes: PlannedRoute[] = [];
  const neighbours: Neighbour[] = [];
  const fdb: FdbEntry[] = [];
  const addresses: DeviceAddress[] = [];
  for (const family of families) {
    const range = node.podCIDRs[family];
    if (range === undefined) continue;
    routes.push(bridgeRoute(range));
    addresses.push({
      dev: vxlanDevice(family, options.vni),
      address: `${firstAddress(range)}/${hostLength(family)}`,
    });
  }
  for (const peer of peers) {
    if (peer.name === node.name) continue;
    if (options.usesDirectRouting && links.share(node.publicIPs[peer.family], peer.publicIP)) {
      routes.push(plannedRoute(peer.range, { via: peer.publicIP, dev: options.iface }));
      continue;
    }
    const dev = vxlanDevice(peer.family, options.vni);
    const via = firstAddress(peer.range);
    routes.push(plannedRoute(peer.range, { via, dev, isOnlink: true }));
    neighbours.push({ ip: via, dev, lladdr: peer.mac });
    fdb.push({ lladdr: peer.mac, dev, dst: peer.publicIP });
  }
  return sortedEntries({ addresses, routes, neighbours, fdb });
}

function hostGateway(node: RouteNode, peers: readonly Peer[], options: RoutesOptions, links: Links): NodeEntries {
  const routes = ownRoutes(node);
  for (const { name, range, publicIP } of peers) {
    if (name === node.name) continue;
    routes.push(plannedRoute(range, { via: publicIP, dev: options.iface, isRefused: links.isOffLink(node, publicIP) }));
  }
  return sortedEntries({ routes });
}

/** IPv4 only, as it was when flannel worked so. */
function oneDevice(node: RouteNode, network: Cidr | undefined, options: RoutesOptions): NodeEntries {
  const dev = options.backend === 'udp' ? 'flannel0' : vxlanDevice('ipv4', options.vni);
  const range = node.podCIDRs.ipv4;
  const routes: PlannedRoute[] = range === undefined ? [] : [bridgeRoute(range)];
  if (network !== undefined) routes.push(plannedRoute(network, { dev, scope: 'global' }));
  const addresses = range === undefined ? [] : [{ dev, address: `${firstAddress(range)}/32` }];
  return sortedEntries({ addresses, routes });
}

function readPeers(
  nodes: readonly RouteNode[],
  usesTunnel: boolean,
  options: RoutesOptions,
  links: Links,
  report: Report,
): readonly Peer[] {
  const peers: Peer[] = [];
  for (const node of nodes) {
    for (const family of families) {
      const range = node.podCIDRs[family];
      if (range === undefined) continue;
      const publicIP = node.publicIPs[family];
      if (publicIP === undefined) {
        reportNoAddress(node, family, report);
        continue;
      }
      const mac = node.vtepMACs[family];
      if (usesTunnel && mac === undefined && isTunnelPeer(node, publicIP, family, nodes, options, links)) {
        reportAssumedMAC(node, report);
      }
      peers.push({ name: node.name, family, range, publicIP, mac: mac ?? assumedVtepMAC(node.name, family) });
    }
  }
  return peers;
}

/** Some planned node reaches it through the tunnel, so its hardware address is printed. */
function isTunnelPeer(
  peer: RouteNode,
  publicIP: string,
  family: Family,
  nodes: readonly RouteNode[],
  options: RoutesOptions,
  links: Links,
): boolean {
  return nodes.some(
    (node) =>
      node.name !== peer.name &&
      (options.node === undefined || options.node === node.name) &&
      !(options.usesDirectRouting && links.share(node.publicIPs[family], publicIP)),
  );
}

function reportAssumedMAC(node: RouteNode, report: Report): void {
  report({
    code: 'assumed-vtep-mac',
    severity: 'warning',
    message: `the hardware address of flannel's VXLAN device on Node ${node.name} is not known; one is made up`,
    at: [node.origin],
    hint: "flannel writes it to the Node's annotation flannel.alpha.coreos.com/backend-data",
  });
}

function reportMissingNetwork({ backend }: RoutesOptions, report: Report): void {
  report({
    code: 'cluster-cidr-needed',
    severity: 'error',
    message: `flannel's ${backend} back end ${backend === 'udp' ? '' : 'before 0.9 '}has one route for the network of all Pods, which is not known`,
    at: [],
    hint: 'give its IPv4 range: --cluster-cidr 10.244.0.0/16',
  });
}
