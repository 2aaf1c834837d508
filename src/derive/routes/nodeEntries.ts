import { addressInCidr } from '../../common/addresses/addressInCidr.ts';
import type { Cidr } from '../../common/addresses/cidr.ts';
import type { Family } from '../../common/addresses/family.ts';
import { compareIps, formatIp, type Ip, parseIp } from '../../common/addresses/ip.ts';
import type { DeviceAddress, FdbEntry, Neighbour, NodeEntries, PlannedRoute } from './routesPlan.ts';

export const families: readonly Family[] = ['ipv4', 'ipv6'];

/** A route with its defaults filled in. */
export function plannedRoute(dst: Cidr, fields: Omit<Partial<PlannedRoute>, 'dst'>): PlannedRoute {
  return { dst, isBlackhole: false, isOnlink: false, isRefused: false, ...fields };
}

/** The route to a node's own Pods, which the kernel adds with the address of the bridge. */
export function bridgeRoute(range: Cidr): PlannedRoute {
  const bridge = { dev: 'cni0', proto: 'kernel' } as const;
  if (range.family === 'ipv6') return plannedRoute(range, bridge);
  return plannedRoute(range, { ...bridge, scope: 'link', src: addressInCidr(range, 1) ?? firstAddress(range) });
}

/** The address that a network begins with. */
export function firstAddress(range: Cidr): string {
  return formatIp(firstIp(range));
}

/** The network of one address. */
export function hostLength(family: Family): number {
  return family === 'ipv4' ? 32 : 128;
}

/** All entries in their order. */
export function sortedEntries(entries: {
  readonly addresses?: readonly DeviceAddress[];
  readonly routes: readonly PlannedRoute[];
  readonly neighbours?: readonly Neighbour[];
  readonly fdb?: readonly FdbEntry[];
}): NodeEntries {
  return {
    addresses: entries.addresses ?? [],
    routes: [...entries.routes].sort(compareRoutes),
    neighbours: sortByAddress(entries.neighbours ?? [], ({ ip }) => ip),
    fdb: sortByAddress(entries.fdb ?? [], ({ dst }) => dst),
  };
}

export function compareRoutes(a: PlannedRoute, b: PlannedRoute): number {
  return compareCidrs(a.dst, b.dst);
}

/** By family, address, length. */
export function compareCidrs(a: Cidr, b: Cidr): number {
  return compareIps(firstIp(a), firstIp(b)) || a.length - b.length;
}

function firstIp(range: Cidr): Ip {
  return range.family === 'ipv4' ? { family: 'ipv4', value: range.first } : { family: 'ipv6', value: range.first };
}

function sortByAddress<T>(list: readonly T[], addressOf: (item: T) => string): readonly T[] {
  const keyed = list.map((item) => ({ item, ip: parseIp(addressOf(item)) as Ip }));
  return keyed.sort((a, b) => compareIps(a.ip, b.ip)).map(({ item }) => item);
}
