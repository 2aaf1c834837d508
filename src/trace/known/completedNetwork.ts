import type { NetworkFacts } from '../../node/networkFacts.ts';
import type { AssumedPart } from '../../walk/input/topology.ts';
import type { TraceObjects } from './traceObjects.ts';
import { unknownNetwork } from './unknownNetwork.ts';

/** A network, and its parts that nothing shows, in words. */
export interface CompletedNetwork {
  readonly network: NetworkFacts;
  readonly assumed: ReadonlyMap<AssumedPart, string>;
}

/** The network that a dump shows; missing parts come from objects, or are what nodes usually have. */
export function completedNetwork(
  shown: NetworkFacts,
  objects: TraceObjects | undefined,
  shownByRules: ReadonlyMap<string, number>,
): CompletedNetwork {
  const assumed = new Map<AssumedPart, string>();
  // The output of `bridge link` alone shows ports, and none of the node's addresses.
  const hasInterfaces = shown.interfaces.some(({ addresses }) => addresses.length > 0);
  const hasRoutes = shown.routes.some(({ table }) => table === 'main');
  const base = objects?.network ?? unknownNetwork;
  if (!hasInterfaces)
    assumed.set('interfaces', objects?.assumed.get('interfaces') ?? 'interfaces: lo and eth0, as nothing shows them');
  if (!hasRoutes) assumed.set('routes', objects?.assumed.get('routes') ?? 'routes: everything by eth0');
  // Each separately: a given one proves nothing about the others.
  assumed.set('sysctls', objects?.assumed.get('sysctls') ?? 'not given, taken as most nodes have it');
  const node = shown.node ?? base.node;
  return {
    network: {
      ...(node !== undefined && { node }),
      interfaces: hasInterfaces ? shown.interfaces : withoutTwins(base.interfaces, shown.interfaces),
      routes: hasRoutes ? shown.routes : joined(shown.routes, base.routes),
      rules: shown.rules,
      sysctls: new Map([...base.sysctls, ...shownByRules, ...bridgeRules(shown), ...shown.sysctls]),
      missingSysctls: shown.missingSysctls,
      // Interfaces that objects suggest do not belong to the node itself.
      pods: completedPods(shown.pods, hasRoutes ? base.pods.map(withoutInterface) : base.pods),
      hosts: [...shown.hosts, ...base.hosts],
      seen: shown.seen,
    },
    assumed,
  };
}

function completedPods(shown: NetworkFacts['pods'], known: NetworkFacts['pods']): NetworkFacts['pods'] {
  if (shown.length === 0) return known;
  const ips = new Set(shown.flatMap((pod) => pod.ips));
  return [...shown, ...known.filter((pod) => !pod.ips.some((ip) => ips.has(ip)))];
}

/** Without a copy where nothing is added: what is worked out of a list is kept for it, and the next tracer has the same. */
function joined<T>(some: readonly T[], others: readonly T[]): readonly T[] {
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
