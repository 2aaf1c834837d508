import { type Family, familyNames } from '../../common/addresses/family.ts';
import { familyOf, isLoopbackIp } from '../../common/addresses/ip.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import { interfaceAddresses } from '../../node/interfaceAddresses.ts';
import { type NetworkFacts, showsAddresses, showsInterfaces } from '../../node/networkFacts.ts';
import type { AssumedPart } from '../../walk/input/topology.ts';
import type { TraceObjects } from './traceObjects.ts';
import { unknownNetwork } from './unknownNetwork.ts';

/** A network, and its parts that nothing shows, in words, as packets of each family meet them. */
export interface CompletedNetwork {
  readonly network: NetworkFacts;
  readonly assumed: Readonly<Record<Family, ReadonlyMap<AssumedPart, string>>>;
}

/** The network that a dump shows; missing parts come from objects, or are what nodes usually have. */
export function completedNetwork(
  shown: NetworkFacts,
  objects: TraceObjects | undefined,
  shownByRules: ReadonlyMap<string, number>,
): CompletedNetwork {
  const assumed = new Map<AssumedPart, string>();
  const hasInterfaces = showsInterfaces(shown);
  const withRoutes = familiesRouted(shown);
  const hasRoutes = withRoutes.length > 0;
  const base = objects?.network ?? unknownNetwork;
  if (!hasInterfaces) {
    const usual = objects?.assumed.get('interfaces') ?? 'interfaces: lo and eth0, as nothing shows them';
    const names = shown.interfaces.map(({ name }) => name);
    const beside = `interfaces other than ${firstFew(names, 3)}: as most nodes have them`;
    assumed.set('interfaces', showsAddresses(shown) ? beside : usual);
  }
  // Each separately: a given one proves nothing about the others.
  assumed.set('sysctls', objects?.assumed.get('sysctls') ?? 'not given, taken as most nodes have it');
  const node = shown.node ?? base.node;
  const assumedRoutes = objects?.assumed.get('routes') ?? 'routes: everything by eth0';
  const assumedOf = (family: Family): ReadonlyMap<AssumedPart, string> => {
    if (withRoutes.includes(family)) return assumed;
    return new Map([...assumed, ['routes', hasRoutes ? `${familyNames[family]} ${assumedRoutes}` : assumedRoutes]]);
  };
  return {
    network: {
      ...(node !== undefined && { node }),
      interfaces: hasInterfaces ? shown.interfaces : withoutTwins(base.interfaces, shown.interfaces),
      routes: joined(
        shown.routes,
        withRoutes.length === 2 ? [] : base.routes.filter(({ family }) => !withRoutes.includes(family)),
      ),
      rules: shown.rules,
      sysctls: new Map([...base.sysctls, ...shownByRules, ...bridgeRules(shown), ...shown.sysctls]),
      missingSysctls: shown.missingSysctls,
      // Interfaces that objects suggest do not belong to the node itself.
      pods: completedPods(shown.pods, hasRoutes ? base.pods.map(withoutInterface) : base.pods),
      hosts: [...shown.hosts, ...base.hosts],
      seen: shown.seen,
    },
    assumed: { ipv4: assumedOf('ipv4'), ipv6: assumedOf('ipv6') },
  };
}

/**
 * `ip route` prints IPv4 alone: that no route of the other family is given does not mean that there is none, unless the
 * node's interfaces are given, and have no addresses of it but those that every interface has. `ip -4 addr` shows none.
 */
function familiesRouted({ routes, interfaces }: NetworkFacts): readonly Family[] {
  const isShown = (family: Family) => routes.some((route) => route.family === family && route.table === 'main');
  if (!isShown('ipv4') && !isShown('ipv6')) return [];
  const ips = interfaceAddresses({ interfaces });
  const isAbsent = (family: Family) => {
    const own = ips.filter((ip) => familyOf(ip) === family);
    return own.length > 0 && own.every((ip) => isLoopbackIp(ip) || ip.startsWith('fe80:'));
  };
  return (['ipv4', 'ipv6'] as const).filter((family) => isShown(family) || isAbsent(family));
}

function completedPods(shown: NetworkFacts['pods'], known: NetworkFacts['pods']): NetworkFacts['pods'] {
  if (shown.length === 0) return known;
  const ips = new Set(shown.flatMap((pod) => pod.ips));
  return [...shown, ...known.filter((pod) => !pod.ips.some((ip) => ips.has(ip)))];
}

/** Without a copy where nothing is added: what is worked out of a list is kept for it, and the next tracer has the same. */
function joined<T>(some: readonly T[], others: readonly T[]): readonly T[] {
  if (others.length === 0) return some;
  return some.length === 0 ? others : [...some, ...others];
}

function withoutTwins(own: NetworkFacts['interfaces'], shown: NetworkFacts['interfaces']): NetworkFacts['interfaces'] {
  if (shown.length === 0) return own;
  const names = new Set(shown.map(({ name }) => name));
  return [...own.filter(({ name }) => !names.has(name)), ...shown];
}

/** Without br_netfilter, bridges pass nothing to the rules of IP. */
function bridgeRules({ missingSysctls, modules }: NetworkFacts): readonly (readonly [string, number])[] {
  const isAbsent = modules?.isWhole === true && !modules.names.has('br_netfilter');
  return ['net.bridge.bridge-nf-call-iptables', 'net.bridge.bridge-nf-call-ip6tables'].flatMap((name) =>
    isAbsent || missingSysctls.has(name) ? [[name, 0] as const] : [],
  );
}

function withoutInterface({ name, ips, node }: NetworkFacts['pods'][number]): NetworkFacts['pods'][number] {
  return { name, ips, ...(node !== undefined && { node }) };
}
