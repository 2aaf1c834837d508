import { familyOf } from '../../common/addresses/ip.ts';
import { wholeRange } from '../../common/addresses/wholeRange.ts';
import type { NetworkRoute } from '../../node/networkFacts.ts';
import { ipRouteTypes } from './ipRouteTypes.ts';
import { routingTableReader } from './routingTableReader.ts';

/**
 * Reads `ip route show table all`, `route -n` or `netstat -rn`. A default route without a gateway has the family of the
 * text's other routes; where both are in one text, only routes of IPv6 have a preference (`pref medium`).
 */
export function readRouteTables(text: string): readonly NetworkRoute[] {
  const lines = text.split('\n').map((line) => line.trim());
  const isV6 =
    lines.some((line) => /^(?:\S+ )?[0-9a-f]*:[0-9a-f:]*\S* /.test(line)) &&
    !lines.some((line) => /^(?:\S+ )?\d+\.\d+/.test(line));
  const routes: NetworkRoute[] = [];
  const shown: NetworkRoute[] = [];
  const tableLine = routingTableReader();
  for (const line of lines) {
    const row = tableLine(line);
    if (row !== undefined) {
      if (row.kind === 'row' && row.route !== undefined) shown.push(row.route);
      continue;
    }
    const words = line.split(/\s+/);
    // The link is gone, and the kernel skips the route.
    if (words.includes('dead')) continue;
    if (words[0] === 'nexthop') {
      const last = routes.pop();
      if (last !== undefined) routes.push(withHop(last, words));
      continue;
    }
    const type = ipRouteTypes.has(words[0] ?? '') ? (words.shift() ?? '') : 'unicast';
    const route = routeOf(words, type, isV6);
    if (route !== undefined) routes.push(route);
  }
  return [...routes, ...withAnycast(shown)];
}

/**
 * net-tools do not distinguish the anycast address of a link, the first of its network, from the node's own addresses.
 */
function withAnycast(routes: readonly NetworkRoute[]): readonly NetworkRoute[] {
  const links = new Set(
    routes
      .filter(({ table, via, type }) => table === 'main' && via === undefined && type === 'unicast')
      .map(({ destination, device }) => `${destination.split('/')[0]} ${device}`),
  );
  return routes.map((route) =>
    route.type === 'local' && links.has(`${route.destination.split('/')[0]} ${route.device}`)
      ? { ...route, type: 'anycast' }
      : route,
  );
}

function routeOf(words: readonly string[], type: string, isV6: boolean): NetworkRoute | undefined {
  const [written = ''] = words;
  const isDefault = written === 'default' || written === 'all';
  const via = wordAfter(words, 'via') === 'inet6' ? words[words.indexOf('inet6') + 1] : wordAfter(words, 'via');
  const family = isDefault
    ? via === undefined
      ? isV6 || words.includes('pref')
        ? 'ipv6'
        : 'ipv4'
      : familyOf(via)
    : familyOf(written.split('/')[0] ?? '');
  // A line with a bare network has a type, or next hops on further lines; a bare address is not a route.
  const isAlone = words.length < 2 && type === 'unicast' && !isDefault && !written.includes('/');
  if (family === undefined || isAlone || (words[1] !== undefined && !/^[a-z]/.test(words[1]))) return undefined;
  const whole = wholeRange(family);
  const host = family === 'ipv4' ? 32 : 128;
  const device = wordAfter(words, 'dev');
  const source = wordAfter(words, 'src');
  return {
    family,
    type,
    destination: isDefault ? whole : written.includes('/') ? written : `${written}/${host}`,
    ...(via !== undefined && { via }),
    ...(device !== undefined && { device }),
    ...(source !== undefined && { source }),
    table: wordAfter(words, 'table') ?? 'main',
    metric: Number(wordAfter(words, 'metric') ?? 0),
    ...((words.includes('realm') || words.includes('realms')) && { hasRealm: true }),
  };
}

function withHop(route: NetworkRoute, words: readonly string[]): NetworkRoute {
  if (route.device !== undefined) return { ...route, hasMoreHops: true };
  const [via, device] = [wordAfter(words, 'via'), wordAfter(words, 'dev')];
  return { ...route, ...(via !== undefined && { via }), ...(device !== undefined && { device }) };
}

function wordAfter(words: readonly string[], name: string): string | undefined {
  const at = words.indexOf(name, 1);
  return at === -1 ? undefined : words[at + 1];
}
