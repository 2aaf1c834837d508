import { ipPort } from '../../../common/addresses/ipPort.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import type { Statement } from '../../../netfilter/nft/ast.ts';
import { chainsNamed } from '../../../netfilter/nft/chainsNamed.ts';
import { setsNamed } from '../../../netfilter/nft/setsNamed.ts';
import { translatedTo } from '../../../netfilter/nft/translatedTo.ts';
import { hasLines } from '../../../node/lines/chainLines.ts';
import type { FindingCode } from '../../../problems/problemCode.ts';
import { nftServiceName } from '../../../seen/names/nftServiceName.ts';
import type { ExplainContext } from '../explainWith.ts';
import { listOf } from '../listOf.ts';
import { lostRules } from '../lostRules.ts';
import { memberOwners } from '../memberOwners.ts';
import type { RuleDifference } from '../ruleDifferences.ts';
import { sayByOwner } from '../sayByOwner.ts';
import type { KnownService } from '../serviceIndex.ts';
import { unmarkedReason } from '../unmarkedReason.ts';
import { explainAffinitySet, lookSeen, rememberSeen } from './nftAffinity.ts';
import { explainNftMasquerading } from './nftMasquerading.ts';
import { isMarkOf, statementsOf } from './nftStatements.ts';

/** nftables mode: maps decide where traffic enters, chains what happens to it. */
export function explainNftables(context: ExplainContext): void {
  const { diff, items, say } = context;
  const { chain } = diff;
  const kind = /^(?:endpoint|service|local|external|firewall|set affinity)(?=-[A-Z0-9]{8}-)/.exec(chain)?.[0] ?? '';
  const own = escapeText(chain);
  const byKind = chainKinds[kind];
  if (byKind !== undefined) {
    byKind(context, serviceOf(context));
    return;
  }
  if (items.length === 0) return;
  if (/^map (?:service-ips|service-nodeports)$/.test(chain)) explainElements(context);
  else if (/^(?:mark-for-masquerade|masquerading)$/.test(chain)) explainNftMasquerading(context);
  else if (chain === 'services') explainLookups(context);
  else if (chain === 'forward') explainInvalid(context);
  else {
    const [id, isLed] = fixed.find(([, , pattern]) => pattern.test(chain)) ?? [];
    if (id === undefined) return;
    if (chain === 'cluster-ips-check' && items.every(isOfRanges))
      say('K8N216', items, { what: `${own} drops what no Service has of other ranges than the cluster’s` });
    else if (isLed) say(id, items, { what: `the rules of ${own} differ` });
    else if (items.every(({ side }) => side === 'missing')) explainLostElements(context, id);
    else say(id, items, { what: `${own} ${difference(items)}` });
  }
}

/** Those of Services are theirs. */
function explainLostElements(context: ExplainContext, id: FindingCode): void {
  const { diff, items, index } = context;
  const owners = memberOwners(index);
  sayByOwner(context, id, items, {
    ownerOf: (item) =>
      diff.chain === 'set cluster-ips' ? owners.ofAddress(keyOf(item)) : entranceOf(item, index)?.service,
    seen: (lines) => `${escapeText(diff.chain)} lacks ${listOf(lines)}`,
  });
}

/** The purpose of chains and sets that all Services share; true: they have rules, false: elements. */
const fixed: readonly (readonly [FindingCode, boolean, RegExp])[] = [
  ['K8N403', false, /^set hairpin-connections$/],
  ['K8N512', false, /^(?:map firewall-ips|set firewall(?:-allow)?)$/],
  ['K8N209', false, /^map no-endpoint-/],
  ['K8N702', false, /^(?:set|map) (?:nodeport-ips|cluster-ips)$/],
  ['K8N512', true, /^firewall-(?:allow-)?check$/],
  ['K8N209', true, /^(?:reject-chain|(?:(?:nodeport|service)-)?endpoints-check)$/],
  ['K8N207', true, /^(?:cluster-ips-check|nat-.*|filter-.*)$/],
];

/** Since 1.36 one rule for all cluster IPs precedes those that look into maps. */
function explainLookups({ diff, items, say }: ExplainContext): void {
  const own = escapeText(diff.chain);
  const marks = items.filter(isMarking);
  const rest = items.filter((item) => !isMarking(item));
  if (marks.length > 0)
    say('K8N401', marks, {
      what: `${own} masquerades other traffic to cluster IPs than it should`,
      ...unmarkedReason(diff),
    });
  if (rest.length > 0) say('K8N207', rest, { what: `the rules of ${own} differ` });
}

/** Ranges whose unallocated addresses are dropped: other rules of the chain reject. */
function isOfRanges(item: RuleDifference): boolean {
  const last = statementsOf(item).at(-1);
  return last?.kind === 'verdict' && last.verdict.kind === 'drop';
}

/** The finding is only a remark; the chain's difference stays a change, which counts. */
function explainInvalid({ items, say, diff }: ExplainContext): void {
  const isMissing = items.some(({ side }) => side === 'missing');
  say('K8N505', [], {
    what: `${escapeText(diff.chain)} ${isMissing ? 'does not drop' : 'drops'} packets that conntrack marks INVALID`,
  });
}

function difference(items: readonly RuleDifference[]): string {
  const lines = (side: RuleDifference['side']) => items.filter((item) => item.side === side).map(({ line }) => line);
  const parts = [
    ...(lines('missing').length > 0 ? [`lacks ${listOf(lines('missing'))}`] : []),
    ...(lines('extra').length > 0 ? [`holds ${listOf(lines('extra'))}`] : []),
  ];
  return parts.length === 0 ? 'is in another order' : parts.join(' and ');
}

function explainElements({ diff, items, say, index }: ExplainContext): void {
  const own = escapeText(diff.chain);
  const missing = items.filter(({ side }) => side === 'missing');
  const extra = items.filter(({ side }) => side === 'extra');
  const known = new Set(missing.map(keyOf));
  for (const item of missing) {
    const key = keyOf(item);
    const twins = extra.length > mostPaired ? [] : extra.filter((other) => keyOf(other) === key);
    const entrance = entranceOf(item, index);
    const isServiceMissing = twins.length === 0 && entrance?.what === 'cluster IP';
    const seen = `${own} lacks ${escapeText(item.line)}`;
    say('K8N201', [item, ...twins], { what: seen, ...(isServiceMissing && { isServiceMissing }) }, entrance?.service);
  }
  for (const item of extra) {
    if (known.has(keyOf(item))) continue;
    say('K8N202', [item], { what: `${own} holds ${escapeText(item.line)}, which no Service has` });
  }
}

/** No more unexpected elements than this are searched for each missing one. */
const mostPaired = 1000;

const chainKinds: Readonly<Record<string, (context: ExplainContext, service: KnownService | undefined) => void>> = {
  endpoint: explainEndpoint,
  service: explainService,
  local: explainService,
  external: ({ say, items, diff }, service) => {
    const own = escapeText(diff.chain);
    const marks = items.filter(isMarking);
    const rest = items.filter((item) => !isMarking(item));
    if (marks.length > 0)
      say('K8N401', marks, { what: `${own} masquerades other traffic than it should`, ...lostRules }, service);
    if (rest.length > 0 || items.length === 0) say('K8N201', rest, { what: `the rules of ${own} differ` }, service);
  },
  firewall: ({ say, items, diff }, service) =>
    say('K8N512', items, { what: `the rules of ${escapeText(diff.chain)} differ` }, service),
  'set affinity': explainAffinitySet,
};

/** By a chain, or since 1.36 in place. */
function isMarking(item: RuleDifference): boolean {
  const last = statementsOf(item).at(-1);
  if (last?.kind === 'assign') return last.operation === '|' && isMarkOf(last.target);
  return last?.kind === 'verdict' && chainsNamed(last).includes('mark-for-masquerade');
}

function remembersClients(item: RuleDifference): boolean {
  return statementsOf(item).some((one) => setsNamed(one).some((name) => name.startsWith('affinity-')));
}

function explainEndpoint({ say, items, diff }: ExplainContext, service: KnownService | undefined): void {
  const own = escapeText(diff.chain);
  if (diff.found === undefined || !hasLines(diff.found)) {
    say('K8N204', items, { what: `the endpoint chain ${own} is missing or empty` }, service);
    return;
  }
  if (diff.expected === undefined) {
    say('K8N203', items, { what: `the endpoint chain ${own} is of no endpoint` }, service);
    return;
  }
  const affinity = items.filter(remembersClients);
  const hairpin = items.filter((item) => !affinity.includes(item) && isMarking(item));
  const rest = items.filter((item) => !affinity.includes(item) && !hairpin.includes(item));
  if (affinity.length > 0) say('K8N304', affinity, { what: `${own} ${rememberSeen(affinity, service)}` }, service);
  if (hairpin.length > 0)
    say('K8N403', hairpin, { what: `${own} does not mark what the endpoint sends itself` }, service);
  if (rest.length > 0) say('K8N203', rest, { what: `${own} does not lead to its endpoint` }, service);
}

function explainService({ say, items, diff }: ExplainContext, service: KnownService | undefined): void {
  const own = escapeText(diff.chain);
  if (diff.expected === undefined) {
    say('K8N202', items, { what: `the chain ${own}, which no Service has` });
    return;
  }
  if (diff.found === undefined || !hasLines(diff.found)) {
    say('K8N205', items, { what: `the chain ${own} is missing or empty` }, service);
    return;
  }
  const affinity = items.filter(remembersClients);
  const marks = items.filter((item) => !affinity.includes(item) && isMarking(item));
  const balance = items.filter((item) => !affinity.includes(item) && !marks.includes(item));
  if (affinity.length > 0) say('K8N304', affinity, { what: `${own} ${lookSeen(affinity, service)}` }, service);
  if (marks.length > 0)
    say('K8N401', marks, { what: `${own} masquerades other traffic than it should`, ...unmarkedReason(diff) }, service);
  if (balance.length === 0) return;
  const of = (side: RuleDifference['side']) => balance.filter((item) => item.side === side).flatMap(statementsOf);
  const endpoints = (side: RuleDifference['side']) => new Set(of(side).flatMap(endpointsIn));
  const [should, has] = [endpoints('missing'), endpoints('extra')];
  const lost = [...should].filter((one) => !has.has(one));
  const stale = [...has].filter((one) => !should.has(one));
  if (lost.length > 0) say('K8N204', balance, { what: `${own} does not lead to ${listOf(lost)}` }, service);
  if (stale.length > 0) say('K8N203', balance, { what: `${own} leads to ${listOf(stale)}` }, service);
  if (lost.length + stale.length > 0) return;
  // The same choice among the same endpoints: only the treatment of a packet differs.
  const isSameChoice = choices(of('missing')) === choices(of('extra'));
  if (isSameChoice) say('K8N203', balance, { what: `${own} does not lead to its endpoints as it should` }, service);
  else say('K8N302', balance, { what: `${own} does not share evenly` }, service);
}

/** Chains of endpoints, or the addresses of a DNAT by a map: `10.244.1.10:8080`. */
function endpointsIn(statement: Statement): readonly string[] {
  if (statement.kind !== 'nat') return chainsNamed(statement).filter((chain) => chain.startsWith('endpoint-'));
  return translatedTo(statement).flatMap(({ address, port }) =>
    statement.lookup === undefined || port === undefined ? [] : [ipPort(address, Number(port))],
  );
}

/** How a number is drawn, and where each one leads. */
function choices(statements: readonly Statement[]): string {
  const drawn = statements.map((one) => (one.kind === 'nat' ? one.lookup : one.kind === 'vmap' ? one : undefined));
  return JSON.stringify(drawn.filter((one) => one?.key.kind === 'numgen'));
}

function serviceOf({ diff, index }: ExplainContext): KnownService | undefined {
  return index.byName.get(nftServiceName(diff.chain.replace(/^set /, '')) ?? '');
}

function keyOf({ content, line }: RuleDifference): string {
  return content?.kind === 'nftElement' ? content.element.key.join(' . ') : line;
}

function entranceOf({ content }: RuleDifference, index: ExplainContext['index']) {
  const parts = content?.kind === 'nftElement' ? content.element.key : [];
  const [ip, protocol, port] = parts.length === 3 ? parts : ['*', parts[0], parts[1]];
  return index.entrances.get(`${protocol} ${ip} ${port}`);
}
