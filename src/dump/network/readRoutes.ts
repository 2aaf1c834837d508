import type { Family } from '../../common/addresses/family.ts';
import { canonicalIp, familyOf } from '../../common/addresses/ip.ts';
import { ipvsDevice } from '../../netfilter/ipvs/ipvsDevice.ts';
import { isTyped } from '../../netfilter/isTyped.ts';
import type { ReportLine } from '../../netfilter/lineProblem.ts';
import { addLines, chainOf, type TableDraft } from '../../node/chains/chainDraft.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import type { DumpFile } from '../dumpFile.ts';
import { ipRouteTypes } from './ipRouteTypes.ts';
import { routingTableReader } from './routingTableReader.ts';

/**
 * Reads the addresses of kube-ipvs0 from `ip route show table all` or `table local`, with or without `-d` and `-o`:
 * each has a route `local ADDRESS dev kube-ipvs0`. If a family's local routes are shown and name none, the device has
 * no addresses of it. `route -n` shows no IPv4 addresses. Other routes are irrelevant for comparisons; lines that are
 * not routes are reported.
 */
export function readRoutes(file: DumpFile, report: ReportLine): readonly ToolRules[] {
  const tables = new Map<Family, TableDraft>();
  let isSixHidden = false;
  const tableLine = routingTableReader();
  for (const [at, raw] of file.text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '' || line.startsWith('#') || isTyped(line, 'ip', 'route', 'netstat')) continue;
    const row = tableLine(line);
    const shownRoute = row?.kind === 'row' ? row.route : undefined;
    if (row !== undefined && shownRoute?.type !== 'local') continue;
    const words = shownRoute ? ['local', shownRoute.destination, 'dev', shownRoute.device ?? ''] : line.split(/\s+/);
    const type = types.has(words[0] as string) ? (words.shift() as string) : 'unicast';
    if (type === 'nexthop') continue;
    const destination = words[0] ?? '';
    const [shown = '', length] = destination.split('/');
    const ip = canonicalIp(shown);
    const isNetwork = (ip !== undefined || isDefault.test(destination)) && /^\d{0,3}$/.test(length ?? '');
    if (!isNetwork || (words[1] !== undefined && !/^[a-z]/.test(words[1]))) {
      report({ line: at + 1, column: raw.indexOf(line) + 1, word: destination, message: 'not a route' });
      continue;
    }
    if (type !== 'local' || ip === undefined) continue;
    const family = familyOf(ip) as Family;
    const table = tables.get(family) ?? { name: 'addresses', isWhole: true, chains: new Map() };
    tables.set(family, table);
    const chain = chainOf(table, ipvsDevice, file.name);
    chain.isDeclared = true;
    const isHost = length === undefined || length === (family === 'ipv4' ? '32' : '128');
    const device = words.includes('dev') ? words[words.indexOf('dev') + 1] : undefined;
    if (!isHost || ip.startsWith('fe80:')) continue;
    if (device === ipvsDevice) addLines(chain, ip, at + 1);
    else if (device === 'lo' && family === 'ipv6' && ip !== '::1') isSixHidden = true;
  }
  // Older kernels route all local IPv6 addresses to lo.
  if (isSixHidden) tables.delete('ipv6');
  return [...tables].map(([family, table]) => ({
    kind: 'addresses',
    family,
    tables: new Map([['addresses', table]]),
    files: [file.name],
  }));
}

/** Also types of old kernels, and `nexthop`, which continues the previous route. */
const types: ReadonlySet<string> = new Set([...ipRouteTypes, 'nat', 'nexthop']);
const isDefault = /^(?:default|all|any)$/;
