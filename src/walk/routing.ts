import type { Value } from '../common/ranges/valueRange.ts';
import { cut, hasValue, onlyValue, single, union, type ValueSet } from '../common/ranges/valueSet.ts';
import { cached, type WalkContext } from './context.ts';
import type { RoutingRule, WalkRoute } from './input/topology.ts';

/** Part of the destinations, and the route that they take; undefined: there is no route. */
export interface Routed {
  readonly destinations: ValueSet;
  readonly route: WalkRoute | undefined;
}

/** What a rule of `ip rule` may match apart from the destination. */
export interface RouteQuestion {
  readonly destinations: ValueSet;
  readonly source: ValueSet;
  readonly mark: number;
  readonly iif?: string | undefined;
  readonly oif?: string | undefined;
}

/**
 * The routes of these destinations: the rules select tables, and in each table the longest prefix with the lowest
 * metric wins.
 */
export function routesTo(question: RouteQuestion, context: WalkContext): readonly Routed[] {
  return foundRoutes(question, context, Number.POSITIVE_INFINITY);
}

/** At most this many are looked for. */
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

/** The route of a single destination; the first if there are several. */
export function routeTo(question: RouteQuestion, context: WalkContext): WalkRoute | undefined {
  return foundRoutes(question, context, 1)[0]?.route;
}

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
