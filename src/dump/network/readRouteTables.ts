import { familyOf } from '../../common/ip.ts';
import type { NetworkRoute } from '../../node/networkFacts.ts';
import { routeTypes } from '../routeTypes.ts';

/** Reads `ip route show table all`. The family of a default route is that of the other routes of the text. */
export function readRouteTables(text: string): readonly NetworkRoute[] {
  const lines = text.split('\n').map((line) => line.trim());
  const isV6 =
    lines.some((line) => /^(?:\S+ )?[0-9a-f]*:[0-9a-f:]*\S* /.test(line)) &&
    !lines.some((line) => /^(?:\S+ )?\d+\.\d+/.test(line));
  const routes: NetworkRoute[] = [];
  for (const line of lines) {
    const words = line.split(/\s+/);
    if (words[0] === 'nexthop') {
      const last = routes.pop();
      if (last !== undefined) routes.push(withHop(last, words));
      continue;
    }
    const type = routeTypes.has(words[0] ?? '') ? (words.shift() ?? '') : 'unicast';
    const route = routeOf(words, type, isV6);
    if (route !== undefined) routes.push(route);
  }
  return routes;
}

function routeOf(words: readonly string[], type: string, isV6: boolean): NetworkRoute | undefined {
  const [written = ''] = words;
  const isDefault = written === 'default' || written === 'all';
  const via = wordAfter(words, 'via') === 'inet6' ? words[words.indexOf('inet6') + 1] : wordAfter(words, 'via');
  const family = isDefault
    ? via === undefined
      ? isV6
        ? 'ipv6'
        : 'ipv4'
      : familyOf(via)
    : familyOf(written.split('/')[0] ?? '');
  if (family === undefined || words.length < 2) return undefined;
  const whole = family === 'ipv4' ? '0.0.0.0/0' : '::/0';
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
