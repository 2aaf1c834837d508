import { escapeText } from '../../common/escapeText.ts';
import { ipPort } from '../../common/ipPort.ts';
import { linesOf } from '../../node/chainLines.ts';
import { listOf } from './listOf.ts';
import { type ExplainContext, jumpTarget, type RuleDifference } from './ruleDifferences.ts';

/** IPVS mode: members of the sets. */
export function explainSets({ items, say, diff }: ExplainContext): void {
  if (items.length === 0) return;
  if (diff.found === undefined) {
    const members = items.slice(1).map(({ line }) => line);
    const lost = members.length === 0 ? '' : `, and with it ${listOf(members)}`;
    say('K8N702', items, { seen: `the set ${escapeText(diff.chain)} is missing${lost}` });
    return;
  }
  const what = (side: RuleDifference['side']) =>
    listOf(items.filter((item) => item.side === side).map(({ line }) => line));
  const parts = [
    ...(items.some(({ side }) => side === 'missing') ? [`lacks ${what('missing')}`] : []),
    ...(items.some(({ side }) => side === 'extra') ? [`holds ${what('extra')}, which no Service asks for`] : []),
  ];
  say('K8N702', items, { seen: `the set ${escapeText(diff.chain)} ${parts.join(' and ')}` });
}

/** IPVS mode: virtual services and their servers. */
export function explainIpvs({ items, say, diff, index }: ExplainContext): void {
  const address = escapeText(diff.chain);
  const content = (diff.expected ?? diff.found)?.content;
  const own = content?.kind === 'virtualServer' ? content.service.address : undefined;
  const entrance =
    own?.kind !== 'address'
      ? undefined
      : (index.entrances.get(`${own.protocol} ${own.ip} ${own.port}`) ??
        index.entrances.get(`${own.protocol} * ${own.port}`));
  const service = entrance?.service;
  if (diff.found === undefined) {
    const isServiceMissing = entrance?.what === 'cluster IP';
    const seen = `no virtual server for ${address}`;
    say('K8N201', items, { seen, ...(isServiceMissing && { isServiceMissing }) }, service);
    return;
  }
  if (diff.expected === undefined) {
    say('K8N202', items, { seen: `a virtual server for ${address}, which no Service has` });
    return;
  }
  const persistence = items.filter(({ content: one }) => one?.kind === 'persistence');
  if (persistence.length > 0) {
    const seconds = (side: RuleDifference['side']) =>
      persistence.flatMap((item) =>
        item.side === side && item.content?.kind === 'persistence' ? item.content.persistence.seconds : [],
      )[0];
    const [asks, keeps] = [seconds('missing'), seconds('extra')];
    const seen =
      asks === undefined
        ? `${address} keeps clients on one server for ${keeps} s, which the Service does not ask for`
        : keeps === undefined
          ? `${address} does not keep clients on one server for ${asks} s`
          : `${address} keeps clients on one server for ${keeps} s instead of ${asks} s`;
    say('K8N304', persistence, { seen }, service);
  }
  const servers = items.filter(({ content: one }) => one?.kind === 'server');
  const missing = servers.filter(({ side }) => side === 'missing');
  const extra = servers.filter(({ side }) => side === 'extra');
  for (const item of extra) {
    const twin = missing.find((other) => serverOf(other) === serverOf(item));
    const server = escapeText(serverOf(item));
    const isWaiting = item.content?.kind === 'server' && item.content.server.weight === 0;
    if (isWaiting)
      say('K8N703', twin ? [item, twin] : [item], { seen: `${server} of ${address} has weight 0` }, service);
    else if (twin) say('K8N702', [item, twin], { seen: `${server} of ${address} has other settings` }, service);
    else say('K8N203', [item], { seen: `${address} sends traffic to ${server}, which is not an endpoint` }, service);
  }
  for (const item of missing) {
    if (extra.some((other) => serverOf(other) === serverOf(item))) continue;
    say('K8N204', [item], { seen: `${address} sends nothing to ${escapeText(serverOf(item))}` }, service);
  }
  const rest = items.filter((item) => !persistence.includes(item) && !servers.includes(item));
  if (rest.length > 0) say('K8N702', rest, { seen: `the settings of ${address} differ` }, service);
}

function serverOf({ content }: RuleDifference): string {
  return content?.kind === 'server' ? ipPort(content.server.ip, content.server.port) : '';
}

/** IPVS mode: addresses of kube-ipvs0. */
export function explainAddresses({ items, say }: ExplainContext): void {
  for (const side of ['missing', 'extra'] as const) {
    const own = items.filter((item) => item.side === side);
    if (own.length === 0) continue;
    const addresses = listOf(own.map(({ line }) => line));
    say('K8N701', own, {
      seen: side === 'missing' ? `kube-ipvs0 lacks ${addresses}` : `kube-ipvs0 has ${addresses}, which no Service has`,
    });
  }
}

/** IPVS mode: the chains that keep the host's own ports from being reached by way of Services' addresses. */
export function explainIpvsFilter({ items, say, diff }: ExplainContext): void {
  if (items.length === 0) return;
  // A kernel without xt_ipvs takes none of the rules that ask for a virtual server.
  const isLeftOut =
    (linesOf(diff.found).length ?? 0) === 0 &&
    items.every(({ rule }) => rule.words.some(({ kind }) => kind === 'ipvs'));
  const mild = isLeftOut ? { severity: 'info' as const, isAdvice: true } : {};
  say('K8N704', items, { seen: `${diff.chain} does not hold the rules that it should`, ...mild });
}

/** IPVS mode: rules that ask whether a set holds what a packet is for, and do for all Services what sets tell apart. */
export function explainSetRules({ items, say, diff }: ExplainContext): void {
  const chain = escapeText(diff.chain);
  const isMark = ({ rule }: RuleDifference) => jumpTarget(rule) === 'KUBE-MARK-MASQ';
  const isLocal = ({ rule }: RuleDifference) =>
    jumpTarget(rule) === 'RETURN' && rule.words.some((word) => word.kind === 'set' && word.set.includes('-LOCAL'));
  const missing = items.filter((item) => isMark(item) && item.side !== 'extra');
  const marked = items.filter((item) => isLocal(item) || (isMark(item) && item.side === 'extra'));
  const rest = items.filter((item) => !isMark(item) && !isLocal(item));
  if (missing.length > 0) {
    say('K8N401', [...missing, ...marked], { seen: `${chain} does not mark what comes from outside as it should` });
  } else if (marked.length > 0) {
    const seen = `${chain} marks other traffic than it should`;
    say('K8N408', marked, { seen, severity: 'warning', isAdvice: false });
  }
  if (rest.length > 0) say('K8N201', rest, { seen: `${chain} does not let in what the sets hold as it should` });
}
