import { hostLength } from './nodeEntries.ts';
import type { FdbEntry, Neighbour, NodeEntries, PlannedRoute, RoutesPlan } from './routesPlan.ts';

/** Every node's entries as `ip route`, `ip neigh` and `bridge fdb` show them; headed by its name unless only one was asked for. */
export function* printRoutes(plan: RoutesPlan, isHeaded: boolean): Iterable<string> {
  for (const node of plan.nodes) {
    if (isHeaded) yield `# node ${node.name}`;
    yield* printEntries(node.entries());
  }
  if (isHeaded) yield* printRouter(plan);
}

/** One node's lines. */
export function* printEntries({ routes, neighbours, fdb }: NodeEntries): Iterable<string> {
  for (const route of routes) yield routeWords(route).join(' ');
  for (const neighbour of neighbours) yield neighbourLine(neighbour);
  for (const entry of fdb) yield fdbLine(entry);
}

/** The section of the router between nodes, where there is one. */
export function* printRouter({ cni, router }: RoutesPlan): Iterable<string> {
  if (cni !== 'bridge') return;
  yield '# router';
  for (const route of router) yield routeWords(route).join(' ');
}

/** The network, and a single address without its length. */
export function destination({ dst }: PlannedRoute): string {
  return dst.length === hostLength(dst.family) ? dst.text.slice(0, dst.text.indexOf('/')) : dst.text;
}

/** `global` is what every route has that says nothing, and is not shown. */
function routeWords(route: PlannedRoute): readonly string[] {
  const { isBlackhole, isOnlink, via, dev, proto, scope, src } = route;
  return [
    ...(isBlackhole ? ['blackhole'] : []),
    destination(route),
    ...(via === undefined ? [] : ['via', via]),
    ...(dev === undefined ? [] : ['dev', dev]),
    ...(proto === undefined ? [] : ['proto', proto]),
    ...(scope === undefined || scope === 'global' ? [] : ['scope', scope]),
    ...(src === undefined ? [] : ['src', src]),
    ...(isOnlink ? ['onlink'] : []),
  ];
}

function neighbourLine({ ip, dev, lladdr }: Neighbour): string {
  return `${ip} dev ${dev} lladdr ${lladdr} PERMANENT`;
}

function fdbLine({ lladdr, dev, dst }: FdbEntry): string {
  return `${lladdr} dev ${dev} dst ${dst} self permanent`;
}
