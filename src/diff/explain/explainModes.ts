import { escapeText } from '../../common/escapeText.ts';
import { linesOf } from '../chainLines.ts';
import type { Explaining, Item } from './items.ts';

/** IPVS mode: members of the sets. */
export function explainSets({ items, say, diff }: Explaining): void {
  if (items.length === 0) return;
  const what = (side: Item['side']) => listOf(items.filter((item) => item.side === side).map(({ line }) => line));
  const parts = [
    ...(items.some(({ side }) => side === 'missing') ? [`lacks ${what('missing')}`] : []),
    ...(items.some(({ side }) => side === 'extra') ? [`holds ${what('extra')}, which no Service asks for`] : []),
  ];
  say('K8N702', items, { seen: `the set ${escapeText(diff.chain)} ${parts.join(' and ')}` });
}

/** IPVS mode: virtual services and their servers. */
export function explainIpvs({ items, say, diff, index }: Explaining): void {
  const address = escapeText(diff.chain);
  const [, ip = '', port = '', protocol = ''] = /^(.*):(\d+)\/(\w+)$/.exec(diff.chain) ?? [];
  const bare = ip.replace(/^\[|\]$/g, '');
  const entrance = index.entrances.get(`${protocol} ${bare} ${port}`) ?? index.entrances.get(`${protocol} * ${port}`);
  const service = entrance?.service;
  if (diff.found === undefined) {
    say('K8N201', items, { seen: `no virtual server for ${address}` }, service);
    return;
  }
  if (diff.expected === undefined) {
    say('K8N202', items, { seen: `a virtual server for ${address}, which no Service has` });
    return;
  }
  const persistence = items.filter(({ line }) => line.startsWith('persistence '));
  if (persistence.length > 0)
    say('K8N304', persistence, { seen: `the persistence of ${address} is not that of the Service` }, service);
  const servers = items.filter(({ line }) => line.startsWith('server '));
  const serverOf = ({ line }: Item) => line.split(' ')[1] as string;
  const missing = servers.filter(({ side }) => side === 'missing');
  const extra = servers.filter(({ side }) => side === 'extra');
  for (const item of extra) {
    const twin = missing.find((other) => serverOf(other) === serverOf(item));
    const server = escapeText(serverOf(item));
    const isWaiting = item.line.endsWith(' weight 0');
    if (isWaiting)
      say('K8N703', twin ? [item, twin] : [item], { seen: `${server} of ${address} has weight 0` }, service);
    else if (twin) say('K8N702', [item, twin], { seen: `${server} of ${address} has other settings` }, service);
    else say('K8N203', [item], { seen: `${address} sends traffic to ${server}, which is no endpoint` }, service);
  }
  for (const item of missing) {
    if (extra.some((other) => serverOf(other) === serverOf(item))) continue;
    say('K8N204', [item], { seen: `${address} sends nothing to ${escapeText(serverOf(item))}` }, service);
  }
  const rest = items.filter((item) => !persistence.includes(item) && !servers.includes(item));
  if (rest.length > 0) say('K8N702', rest, { seen: `the settings of ${address} differ` }, service);
}

/** IPVS mode: addresses of kube-ipvs0. */
export function explainAddresses({ items, say }: Explaining): void {
  for (const side of ['missing', 'extra'] as const) {
    const own = items.filter((item) => item.side === side);
    if (own.length === 0) continue;
    const addresses = listOf(own.map(({ line }) => line));
    say('K8N701', own, {
      seen: side === 'missing' ? `kube-ipvs0 lacks ${addresses}` : `kube-ipvs0 has ${addresses}, which no Service has`,
    });
  }
}

/** nftables mode: maps tell where traffic enters, chains what becomes of it. */
export function explainNftables({ items, say, diff, index }: Explaining): void {
  if (items.length === 0) return;
  const { chain } = diff;
  const name = /-([a-z0-9-]+\/[^/]+)\/(?:tcp|udp|sctp)\/([^_]*)/.exec(chain);
  const service = name === null ? undefined : index.byName.get(`${name[1]}${name[2] ? `:${name[2]}` : ''}`);
  const own = escapeText(chain);
  const missing = items.filter(({ side }) => side === 'missing');
  const extra = items.filter(({ side }) => side === 'extra');
  if (/^map (?:service-ips|service-nodeports)$/.test(chain)) {
    for (const item of missing)
      say(
        'K8N201',
        [item, ...twin(item, extra)],
        { seen: `${own} lacks ${escapeText(item.line)}` },
        ownerOf(item, index),
      );
    const rest = extra.filter((item) => !missing.some((other) => keyOf(other) === keyOf(item)));
    for (const item of rest)
      say('K8N202', [item], { seen: `${own} holds ${escapeText(item.line)}, which no Service has` });
  } else if (/^(?:map|set) (?:no-endpoint|nodeport-ips|cluster-ips|firewall-ips)/.test(chain)) {
    const id = chain.includes('firewall') ? 'K8N512' : chain.includes('no-endpoint') ? 'K8N209' : 'K8N702';
    const text = (side: Item['side']) => listOf(items.filter((item) => item.side === side).map(({ line }) => line));
    say(id, items, {
      seen: `${own}: ${missing.length > 0 ? `lacks ${text('missing')}` : ''}${extra.length > 0 ? ` holds ${text('extra')}` : ''}`,
    });
  } else if (chain.startsWith('endpoint-')) {
    const isLost = diff.found === undefined;
    say(
      isLost ? 'K8N204' : 'K8N203',
      items,
      { seen: `the endpoint chain ${own} ${isLost ? 'is missing' : 'differs'}` },
      service,
    );
  } else if (chain.startsWith('service-')) {
    say(
      extra.length > 0 && missing.length === 0 ? 'K8N202' : 'K8N302',
      items,
      { seen: `the rules of ${own} differ` },
      service,
    );
  } else if (chain.startsWith('external-')) {
    say('K8N201', items, { seen: `the rules of ${own} differ` }, service);
  } else if (chain.startsWith('firewall-')) {
    say('K8N512', items, { seen: `the rules of ${own} differ` }, service);
  } else if (/masquerad/.test(chain)) {
    say('K8N410', items, { seen: `the rules of ${own} differ` });
  } else if (/hook|^nat-|^filter-/.test(chain)) {
    say('K8N207', items, { seen: `the rules of ${own} differ` });
  }
}

function keyOf({ line }: Item): string {
  return line.split(' : ')[0] as string;
}

function twin(item: Item, others: readonly Item[]): readonly Item[] {
  return others.filter((other) => keyOf(other) === keyOf(item));
}

function ownerOf(item: Item, index: Explaining['index']) {
  const parts = keyOf(item).split(' . ');
  const [ip, protocol, port] = parts.length === 3 ? parts : ['*', parts[0], parts[1]];
  return index.entrances.get(`${protocol} ${ip} ${port}`)?.service;
}

function listOf(lines: readonly string[]): string {
  const shown = lines.slice(0, 3).map(escapeText).join(', ');
  return lines.length > 3 ? `${shown} and ${lines.length - 3} more` : shown;
}

/** IPVS mode: the chains that keep the host's own ports from being reached by way of Services' addresses. */
export function explainIpvsFilter({ items, say, diff }: Explaining): void {
  if (items.length === 0) return;
  // A kernel without xt_ipvs takes none of the rules that ask for a virtual server.
  const isLeftOut = (linesOf(diff.found).length ?? 0) === 0 && items.every(({ line }) => line.includes(' -m ipvs '));
  const mild = isLeftOut ? { severity: 'info' as const, isAdvice: true } : {};
  say('K8N704', items, { seen: `${diff.chain} does not hold the rules that it should`, ...mild });
}
