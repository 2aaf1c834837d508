import { destination } from '../derive/routes/printRoutes.ts';
import type { NodeEntries, PlannedRoute } from '../derive/routes/routesPlan.ts';

/**
 * A POSIX shell script that sets one node's entries, on devices that are there; run again it changes nothing. Routes
 * that the kernel makes itself are left to it, and those that it would refuse stand as comments. All words come from
 * parsed addresses and from names of devices that were checked, so nothing needs quoting.
 */
export function* routesScript(node: string, { addresses, routes, neighbours, fdb }: NodeEntries): Iterable<string> {
  yield '#!/bin/sh';
  yield `# Pod network of node ${node}: addresses, routes, neighbors and forwarding entries. The devices must exist.`;
  yield 'set -e';
  for (const { dev, address } of addresses) yield `${ip(address)} addr replace ${address} dev ${dev}`;
  for (const route of routes) if (route.proto !== 'kernel') yield routeCommand(route);
  for (const one of neighbours) {
    yield `${ip(one.ip)} neigh replace ${one.ip} lladdr ${one.lladdr} dev ${one.dev} nud permanent`;
  }
  for (const { lladdr, dev, dst } of fdb) yield `bridge fdb replace ${lladdr} dev ${dev} dst ${dst} self permanent`;
}

function ip(address: string): string {
  return address.includes(':') ? 'ip -6' : 'ip';
}

function routeCommand(route: PlannedRoute): string {
  const { isBlackhole, via, dev, proto, scope, src, isOnlink, isRefused } = route;
  const words = [
    ip(route.dst.text),
    'route replace',
    ...(isBlackhole ? ['blackhole'] : []),
    destination(route),
    ...(via === undefined ? [] : [`via ${via}`]),
    ...(dev === undefined ? [] : [`dev ${dev}`]),
    // The name is known only where iproute2 has a table of them.
    ...(proto === undefined ? [] : [`proto ${proto === 'bird' ? '12' : proto}`]),
    ...(scope === undefined ? [] : [`scope ${scope}`]),
    ...(src === undefined ? [] : [`src ${src}`]),
    ...(isOnlink ? ['onlink'] : []),
  ];
  return isRefused ? `# refused, the gateway is not on a link: ${words.join(' ')}` : words.join(' ');
}
