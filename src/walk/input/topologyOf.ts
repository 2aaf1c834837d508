import type { Family } from '../../common/addresses/family.ts';
import { memoized } from '../../common/memoized.ts';
import { prefixRange } from '../../common/ranges/prefixRange.ts';
import type { Value } from '../../common/ranges/valueRange.ts';
import { addressPattern, addressValue } from '../../netfilter/addressRanges.ts';
import { readMark } from '../../netfilter/iptables/values/marks.ts';
import { interfaceTypes } from '../../netfilter/nft/meaning/deviceCondition.ts';
import type { NetworkFacts, NetworkInterface, NetworkRoute, NetworkRule } from '../../node/networkFacts.ts';
import type {
  AssumedPart,
  InterfaceAddress,
  RoutingRule,
  Topology,
  WalkInterface,
  WalkPod,
  WalkRoute,
} from './topology.ts';

/**
 * The network facts of one family in the form that the walk uses. Local routes that were not given follow from the
 * interfaces.
 */
export function topologyOf(
  facts: NetworkFacts,
  family: Family,
  assumed: ReadonlyMap<AssumedPart, string> = new Map(),
): Topology {
  const interfaces = interfacesOf[family](facts.interfaces);
  return {
    interfaces,
    routes: routesOf[family](facts.routes)(interfaces),
    rules: facts.rules
      .filter((rule) => rule.family === undefined || rule.family === family)
      .map(ruleOf)
      .sort((a, b) => a.priority - b.priority),
    sysctls: facts.sysctls,
    pods: podsOf[family](facts.pods),
    hosts: hostsIn(facts, family),
    ...(facts.node !== undefined && { node: facts.node }),
    assumed,
    ...((facts.routes.some(({ hasRealm }) => hasRealm) ||
      facts.rules.some(({ words }) => words.includes('realms'))) && {
      hasRealms: true,
    }),
  };
}

/** The sides of a comparison usually have the same network: a large node has tens of thousands of interfaces and routes. */
const interfacesOf = { ipv4: memoized(interfacesIn('ipv4')), ipv6: memoized(interfacesIn('ipv6')) };
const routesOf = { ipv4: memoized(routesIn('ipv4')), ipv6: memoized(routesIn('ipv6')) };

function interfacesIn(family: Family): (all: NetworkFacts['interfaces']) => ReadonlyMap<string, WalkInterface> {
  const isOurs = isIn(family);
  return (all) => new Map(all.map((one) => [one.name, interfaceOf(one, isOurs)]));
}

/** Of the given routes, and those that follow from interfaces unless local ones are among them. */
function routesIn(
  family: Family,
): (all: NetworkFacts['routes']) => (of: ReadonlyMap<string, WalkInterface>) => readonly WalkRoute[] {
  return (all) => {
    const routes = all.flatMap((route) => (route.family === family ? routeOf(route) : []));
    const hasLocal = routes.some(({ table }) => table === 'local');
    return memoized((interfaces) =>
      hasLocal ? routes : [...routes, ...localRoutes([...interfaces.values()], family)],
    );
  };
}

/** A hundred thousand of them. */
const podsOf = { ipv4: memoized(podsIn('ipv4')), ipv6: memoized(podsIn('ipv6')) };

function podsIn(family: Family): (pods: NetworkFacts['pods']) => readonly WalkPod[] {
  return (pods) =>
    pods.map(({ name, ips, node, interface: device }) => podOf(name, addressesIn(ips, family), node, device));
}

/** Each without copies of its parts. */
function podOf(
  name: string,
  addresses: readonly Value[],
  node: string | undefined,
  device: string | undefined,
): WalkPod {
  if (device !== undefined)
    return node === undefined ? { name, addresses, interface: device } : { name, addresses, node, interface: device };
  return node === undefined ? { name, addresses } : { name, addresses, node };
}

/** Nodes and others, without all else that a topology takes. */
export function hostsIn({ hosts }: Pick<NetworkFacts, 'hosts'>, family: Family): Topology['hosts'] {
  return hosts.map(({ name, ips }) => ({ name, addresses: addressesIn(ips, family) }));
}

function addressesIn(ips: readonly string[], family: Family): readonly Value[] {
  // Most Pods have addresses of one family, and nearly all one address.
  const mayBeOurs = (ip: string) => ip.includes(':') === (family === 'ipv6');
  const [only = ''] = ips;
  const value = ips.length === 1 && mayBeOurs(only) ? addressValue(only) : undefined;
  if (value !== undefined) return isIn(family)(value) ? [value] : none;
  return ips.some(mayBeOurs) ? ips.map(addressValue).filter(isIn(family)) : none;
}

const none: readonly Value[] = [];

function isIn(family: Family): (value: Value | undefined) => value is Value {
  return (value): value is Value => value !== undefined && (typeof value === 'bigint') === (family === 'ipv6');
}

function interfaceOf(one: NetworkInterface, isOurs: (value: Value | undefined) => boolean): WalkInterface {
  const addresses = one.addresses.flatMap(({ cidr, scope, isDeprecated }): InterfaceAddress[] => {
    const address = addressValue(cidr.split('/')[0] ?? '');
    const network = addressPattern(cidr)?.range;
    if (address === undefined || network === undefined || !isOurs(address)) return [];
    return [{ address, network, scope: scopeOf(address, scope), ...(isDeprecated && { isDeprecated }) }];
  });
  return {
    name: one.name,
    addresses,
    ...(one.master !== undefined && { bridge: one.master }),
    isHairpin: one.isHairpin === true,
    isBridge: one.isBridge === true,
    ...groupOf(one.group),
    ...typeOf(one.linkType),
  };
}

/** Except for 0, the names are the node's own. */
function groupOf(written: string | undefined): { readonly group?: number } {
  if (written === undefined) return {};
  const group = written === 'default' ? 0 : readMark(written);
  return group === undefined ? {} : { group };
}

function typeOf(written: string | undefined): { readonly type?: number } {
  const type = written === undefined ? undefined : interfaceTypes.get(written);
  return type === undefined ? {} : { type };
}

function scopeOf(address: Value, scope: string | undefined): InterfaceAddress['scope'] {
  if (scope === 'global' || scope === 'link' || scope === 'host') return scope;
  if (typeof address === 'bigint') return address === 1n ? 'host' : address >> 118n === 0x3fan ? 'link' : 'global';
  return address >>> 24 === 127 ? 'host' : address >>> 16 === 0xa9fe ? 'link' : 'global';
}

function routeOf(route: NetworkRoute): readonly WalkRoute[] {
  const destination = addressPattern(route.destination)?.range;
  if (destination === undefined) return [];
  const via = route.via === undefined ? undefined : addressValue(route.via);
  const source = route.source === undefined ? undefined : addressValue(route.source);
  return [
    {
      type: route.type,
      destination,
      length: Number(route.destination.split('/')[1]),
      ...(via !== undefined && { via }),
      ...(route.device !== undefined && { device: route.device }),
      ...(source !== undefined && { source }),
      table: route.table,
      metric: route.metric,
      ...(route.hasMoreHops && { hasMoreHops: true }),
    },
  ];
}

/** The routes that the kernel makes for the addresses of interfaces. */
function localRoutes(interfaces: readonly WalkInterface[], family: Family): readonly WalkRoute[] {
  const host = family === 'ipv4' ? 32 : 128;
  const own = interfaces.flatMap(({ name, addresses }) =>
    addresses.map(({ address }): WalkRoute => {
      const destination = { first: address, last: address };
      return { type: 'local', destination, length: host, device: name, source: address, table: 'local', metric: 0 };
    }),
  );
  const loopback: WalkRoute = {
    type: 'local',
    destination: family === 'ipv4' ? prefixRange(0x7f000000, 8) : { first: 1n, last: 1n },
    length: family === 'ipv4' ? 8 : 128,
    device: 'lo',
    source: family === 'ipv4' ? 0x7f000001 : 1n,
    table: 'local',
    metric: 0,
  };
  return [...own, loopback];
}

/** Reads `from 10.0.0.0/8 fwmark 0x1/0xff iif eth0 lookup 100`. */
function ruleOf({ priority, words }: NetworkRule): RoutingRule {
  const draft: { -readonly [K in keyof RoutingRule]?: RoutingRule[K] } = {};
  let isInverted = false;
  const unknown: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const next = words[at + 1] ?? '';
    switch (word) {
      case 'not':
        isInverted = true;
        continue;
      case 'from':
      case 'to': {
        const range = next === 'all' ? undefined : addressPattern(next)?.range;
        if (range !== undefined) draft[word] = range;
        at += 1;
        continue;
      }
      case 'fwmark': {
        const [value = 0, mask = 0xffffffff] = next.split('/').map((part) => readMark(part) ?? 0);
        draft.mark = { value, mask };
        at += 1;
        continue;
      }
      case 'iif':
      case 'oif':
        draft[word] = next;
        at += 1;
        continue;
      case 'lookup':
      case 'table':
        draft.action = { kind: 'table', table: next };
        at += 1;
        continue;
      case 'unreachable':
      case 'blackhole':
      case 'prohibit':
        draft.action = { kind: 'end', type: word };
        continue;
      case 'proto':
      case 'protocol':
      case 'suppress_ifgroup':
        at += 1;
        continue;
      default:
        unknown.push(word);
    }
  }
  const isKnown = unknown.length === 0 && draft.action !== undefined;
  const action = draft.action ?? { kind: 'end', type: 'unknown' };
  return { ...draft, priority, isInverted, action, ...(!isKnown && { unknown: unknown.join(' ') || words.join(' ') }) };
}
