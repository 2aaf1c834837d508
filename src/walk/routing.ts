import type { RouteType, Value, ValueRange } from '../netfilter/meaning.ts';
import { cached, type WalkContext } from './context.ts';
import type { Flow } from './flow.ts';
import type { InterfaceAddress, RoutingRule, Topology, WalkRoute } from './topology.ts';
import { cut, hasValue, onlyValue, single, union, type ValueSet } from './valueSet.ts';

/** Part of the destinations, and the route that they take; undefined: no route leads there. */
export interface Routed {
  readonly destinations: ValueSet;
  readonly route: WalkRoute | undefined;
}

/** What beside the destination a rule of `ip rule` may ask for. */
export interface RouteQuestion {
  readonly destinations: ValueSet;
  readonly source: ValueSet;
  readonly mark: number;
  readonly iif?: string | undefined;
  readonly oif?: string | undefined;
}

/** The routes of these destinations: tables by the rules, in each the longest prefix with the lowest metric. */
export function routesTo(question: RouteQuestion, context: WalkContext): readonly Routed[] {
  return foundRoutes(question, context, Number.POSITIVE_INFINITY);
}

/** No more than so many are looked for. */
function foundRoutes(question: RouteQuestion, context: WalkContext, most: number): readonly Routed[] {
  const { topology } = context.input;
  const tables = cached(context, topology.routes, () => sortedTables(topology.routes));
  let left: ValueSet = question.destinations;
  const found: Routed[] = [];
  for (const rule of topology.rules.length > 0 ? topology.rules : kernelRules) {
    if (left.length === 0 || found.length >= most) break;
    if (!applies(rule, question, context)) continue;
    const { inside, outside } = rule.to === undefined ? { inside: left, outside: [] } : cut(left, [rule.to]);
    if (rule.action.kind === 'end') {
      if (inside.length > 0) found.push({ destinations: inside, route: endRoute(rule.action.type) });
      left = outside;
      continue;
    }
    const inTable = fromTable(inside, tables.get(rule.action.table), question.oif, most);
    for (const routed of inTable.found) found.push(routed);
    left = [...inTable.left, ...outside];
  }
  if (left.length > 0) found.push({ destinations: left, route: undefined });
  return found;
}

/** The one route of a destination; of several the first. */
export function routeTo(question: RouteQuestion, context: WalkContext): WalkRoute | undefined {
  return foundRoutes(question, context, 1)[0]?.route;
}

/** Which addresses are of which type, `unicast` being all others. With an interface, local ones are its own. */
export function addressTypes(
  flow: Flow,
  side: 'source' | 'destination',
  via: 'in' | 'out' | undefined,
  context: WalkContext,
): ReadonlyMap<RouteType, ValueSet> {
  const device = via === undefined ? undefined : via === 'in' ? flow.inInterface : flow.outInterface;
  const { topology } = context.input;
  const all = cached(context, topology, () => new Map<string, ReadonlyMap<RouteType, ValueSet>>());
  const isV6 = typeof flow.packet[side][0]?.first === 'bigint';
  const name = `${device ?? ''}`;
  let types = all.get(name);
  if (types === undefined) {
    types = typesOf(topology, device, isV6);
    all.set(name, types);
  }
  return types;
}

export function isLocalAddress(address: Value, context: WalkContext): boolean {
  const { topology } = context.input;
  const local = cached(context, topology.interfaces, () => localAddresses(topology));
  return hasValue(local, address);
}

/** The source address has a route back; strictly: by the interface that the packet came by. */
export function reversePathHolds(flow: Flow, isLoose: boolean, context: WalkContext): boolean {
  const question = { destinations: flow.packet.source, source: flow.packet.destination, mark: flow.mark };
  const route = routeTo(question, context);
  if (route === undefined || !reachable.has(route.type)) return false;
  return isLoose || route.type === 'local' || route.device === flow.inInterface;
}

/** The address that a packet gets which leaves by this interface, as `inet_select_addr` chooses it. */
export function selectAddress(device: string | undefined, towards: Value, context: WalkContext): Value | undefined {
  const { interfaces } = context.input.topology;
  const own = interfaces.get(device ?? '')?.addresses ?? [];
  // A node has an interface for each of its Pods, without addresses mostly.
  const holders = cached(context, selectAddress, () =>
    [...interfaces.values()].filter(({ addresses }) => addresses.length > 0),
  );
  const others = holders.filter(({ name }) => name !== device).flatMap(({ addresses }) => addresses);
  return typeof towards === 'bigint' ? chosenV6(own, others, towards) : chosenV4(own, others, towards);
}

const reachable: ReadonlySet<string> = new Set(['unicast', 'local', 'broadcast', 'anycast', 'multicast']);

const kernelRules: readonly RoutingRule[] = ['local', 'main', 'default'].map((table, at) => ({
  priority: [0, 32766, 32767][at] ?? 0,
  isInverted: false,
  action: { kind: 'table', table },
}));

function applies(rule: RoutingRule, question: RouteQuestion, context: WalkContext): boolean {
  if (rule.unknown !== undefined) {
    context.notes.assumed.add(`ip rule ${rule.priority}: not applied, for "${rule.unknown}" is not known`);
    return false;
  }
  const isFrom = rule.from === undefined || cut(question.source, [rule.from]).outside.length === 0;
  const isMarked = rule.mark === undefined || (question.mark & rule.mark.mask) >>> 0 === rule.mark.value;
  const isIn = rule.iif === undefined || rule.iif === (question.iif ?? 'lo');
  const isOut = rule.oif === undefined || rule.oif === question.oif;
  return (isFrom && isMarked && isIn && isOut) !== rule.isInverted;
}

function endRoute(type: string): WalkRoute {
  return { type, destination: { first: 0, last: 0 }, length: 0, table: '', metric: 0 };
}

/** A table's routes by length of their prefixes, the longest first; single addresses by hash. */
interface RouteTable {
  readonly hosts: ReadonlyMap<Value, WalkRoute>;
  readonly networks: readonly WalkRoute[];
}

function sortedTables(routes: readonly WalkRoute[]): ReadonlyMap<string, RouteTable> {
  const tables = new Map<string, { hosts: Map<Value, WalkRoute>; networks: WalkRoute[] }>();
  for (const route of [...routes].sort((a, b) => b.length - a.length || a.metric - b.metric)) {
    let table = tables.get(route.table);
    if (table === undefined) {
      table = { hosts: new Map(), networks: [] };
      tables.set(route.table, table);
    }
    const { first, last } = route.destination;
    if (first !== last) table.networks.push(route);
    else if (!table.hosts.has(first)) table.hosts.set(first, route);
  }
  return tables;
}

function fromTable(
  destinations: ValueSet,
  table: RouteTable | undefined,
  oif: string | undefined,
  most: number,
): { readonly found: readonly Routed[]; readonly left: ValueSet } {
  if (table === undefined) return { found: [], left: destinations };
  const found: Routed[] = [];
  const isOpen = ({ device, type }: WalkRoute) => oif === undefined || device === oif || type === 'local';
  const value = onlyValue(destinations);
  const host = value === undefined ? undefined : table.hosts.get(value);
  // A node has a route for each of its Pods: those to single addresses are taken out at once.
  for (const route of value === undefined ? table.hosts.values() : host === undefined ? [] : [host]) {
    if (found.length >= most) break;
    const address = route.destination.first;
    if (!isOpen(route) || !hasValue(destinations, address)) continue;
    if (route.type === 'throw') return { found, left: single(address) };
    found.push({ destinations: single(address), route });
  }
  let left =
    found.length === 0 ? destinations : cut(destinations, union(found.flatMap((one) => one.destinations))).outside;
  for (const route of table.networks) {
    if (left.length === 0 || found.length >= most) break;
    if (!isOpen(route)) continue;
    const { inside, outside } = cut(left, [route.destination]);
    if (inside.length === 0) continue;
    // `throw` ends the search in this table only.
    if (route.type === 'throw') return { found, left: inside };
    found.push({ destinations: inside, route });
    left = outside;
  }
  return { found, left };
}

function typesOf(topology: Topology, device: string | undefined, isV6: boolean): ReadonlyMap<RouteType, ValueSet> {
  const types = new Map<RouteType, ValueRange[]>();
  const add = (type: RouteType, range: ValueRange) => {
    const ranges = types.get(type);
    if (ranges === undefined) types.set(type, [range]);
    else ranges.push(range);
  };
  if (isV6) {
    add('multicast', { first: 0xff00n << 112n, last: (1n << 128n) - 1n });
  } else {
    add('broadcast', { first: 0, last: 0 });
    add('broadcast', { first: 0xffffffff, last: 0xffffffff });
    add('multicast', { first: 0xe0000000, last: 0xefffffff });
  }
  const found = new Set<string>();
  for (const route of topology.routes) {
    if (route.table !== 'local' || route.type === 'multicast' || route.type === 'unicast') continue;
    // The first route to an address is the one that is found: that of another interface with the same address is not.
    const key = `${route.destination.first} ${route.destination.last}`;
    if (device === undefined || (route.device === device && !found.has(key))) {
      add(route.type as RouteType, route.destination);
    }
    found.add(key);
  }
  const known = new Map<RouteType, ValueSet>();
  // Broadcast addresses lie within 127/8 and the like; the longer prefix counts.
  for (const type of ['broadcast', 'anycast', 'multicast', 'local', 'blackhole', 'unreachable', 'prohibit'] as const) {
    const ranges = types.get(type);
    if (ranges !== undefined) known.set(type, union(ranges));
  }
  return known;
}

function localAddresses(topology: Topology): ValueSet {
  return union(
    topology.routes
      .filter(({ table, type }) => table === 'local' && type === 'local')
      .map(({ destination }) => destination),
  );
}

/** The first address of the interface, one of the network of the next hop before others; addresses of the host alone do not count. */
function chosenV4(
  own: readonly InterfaceAddress[],
  others: readonly InterfaceAddress[],
  towards: Value,
): Value | undefined {
  const usable = own.filter(({ scope }) => scope !== 'host');
  const near = usable.find(({ network }) => network.first <= towards && towards <= network.last);
  const first = near ?? usable.find(({ scope }) => scope === 'global') ?? usable[0];
  return (first ?? others.find(({ scope }) => scope === 'global'))?.address;
}

/** RFC 6724, as far as it decides here: the destination itself, its scope, addresses of the interface, the longest common prefix. */
function chosenV6(
  own: readonly InterfaceAddress[],
  others: readonly InterfaceAddress[],
  towards: Value,
): Value | undefined {
  const isLink = BigInt(towards) >> 118n === 0x3fan;
  const rank = (candidate: InterfaceAddress, isOwn: boolean): readonly number[] => [
    candidate.address === towards ? 1 : 0,
    (candidate.scope === 'link') === isLink ? 1 : 0,
    candidate.scope === 'host' ? 0 : 1,
    candidate.isDeprecated ? 0 : 1,
    isOwn ? 1 : 0,
    commonBits(BigInt(candidate.address), BigInt(towards)),
  ];
  let best: { readonly address: Value; readonly rank: readonly number[] } | undefined;
  for (const [list, isOwn] of [[own, true] as const, [others, false] as const]) {
    for (const candidate of list) {
      if (candidate.scope === 'link' && !isOwn) continue;
      const ranked = rank(candidate, isOwn);
      if (best === undefined || isBetter(ranked, best.rank)) best = { address: candidate.address, rank: ranked };
    }
  }
  return best?.address;
}

function isBetter(one: readonly number[], other: readonly number[]): boolean {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at !== -1 && (one[at] ?? 0) > (other[at] ?? 0);
}

function commonBits(a: bigint, b: bigint): number {
  const differing = a ^ b;
  return 128 - (differing === 0n ? 0 : differing.toString(2).length);
}
