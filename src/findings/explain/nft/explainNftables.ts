import { ipPort } from '../../../common/addresses/ipPort.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import type { Statement } from '../../../netfilter/nft/ast.ts';
import { chainsNamed } from '../../../netfilter/nft/chainsNamed.ts';
import { setsNamed } from '../../../netfilter/nft/setsNamed.ts';
import { translatedTo } from '../../../netfilter/nft/translatedTo.ts';
import { nftChainKind } from '../../../netfilter/proxyChains.ts';
import { hasLines } from '../../../node/lines/chainLines.ts';
import { nftRulesOf } from '../../../node/nftItems.ts';
import type { ToolRules } from '../../../node/nodeRules.ts';
import type { FindingCode } from '../../../problems/problemCode.ts';
import { nftServiceName } from '../../../seen/names/nftServiceName.ts';
import { hairpinSet } from '../../../seen/nft/hairpinSet.ts';
import { affinityRole, type Role } from '../consequences.ts';
import type { ExplainContext, SaidParts } from '../explainWith.ts';
import { listOf } from '../listOf.ts';
import { externalWay, lostRules, sayInvalidDrop } from '../lostRules.ts';
import type { RuleDifference } from '../ruleDifferences.ts';
import { type KnownService, reachedOf } from '../serviceIndex.ts';
import { strangerParts } from '../strangers.ts';
import { unmarkedReason } from '../unmarkedReason.ts';
import { absentEndpointRole, explainAffinitySet, lookSeen, rememberSeen } from './nftAffinity.ts';
import {
  difference,
  explainElements,
  explainHairpins,
  explainNftRefusals,
  explainSharedElements,
} from './nftElements.ts';
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
  else if (chain === hairpinSet) explainHairpins(context);
  else if (chain.startsWith('map no-endpoint-')) explainNftRefusals(context);
  else if (chain === 'forward') sayInvalidDrop(items, context);
  else {
    const [id, isLed] = fixed.find(([, , pattern]) => pattern.test(chain)) ?? [];
    if (id === undefined) return;
    if (chain === 'cluster-ips-check' && items.every(isOfRanges))
      say('K8N216', items, { what: `${own} drops what no Service has of other ranges than the cluster’s` });
    else if (!isLed) explainSharedElements(context, id);
    else say(id, items, { what: `${own} ${difference(items)}` });
  }
}

/** The purpose of chains and sets that all Services share; true: they have rules, false: elements. */
const fixed: readonly (readonly [FindingCode, boolean, RegExp])[] = [
  ['K8N512', false, /^(?:map firewall-ips|set firewall(?:-allow)?)$/],
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
  if (rest.length > 0) say('K8N207', rest, { what: `${own} ${difference(rest)}` });
}

/** Ranges whose unallocated addresses are dropped: other rules of the chain reject. */
function isOfRanges(item: RuleDifference): boolean {
  const last = statementsOf(item).at(-1);
  return last?.kind === 'verdict' && last.verdict.kind === 'drop';
}

const chainKinds: Readonly<Record<string, (context: ExplainContext, service: KnownService | undefined) => void>> = {
  endpoint: explainEndpoint,
  service: explainService,
  local: explainService,
  external: (context, service) => {
    const { say, items, diff } = context;
    const own = escapeText(diff.chain);
    if (diff.expected === undefined) {
      explainLeft(context, service);
      return;
    }
    const isAbsent = diff.found === undefined;
    const marks = items.filter(isMarking);
    const rest = items.filter((item) => !isMarking(item));
    if (marks.length > 0)
      say(
        'K8N401',
        marks,
        {
          what: `${own} masquerades other traffic than it should`,
          role: isAbsent ? absentPartRole : { follows: ['otherWay'] },
          ...lostRules,
        },
        service,
      );
    const reason = isAbsent ? { role: absentPartRole } : externalWay(rest);
    if (rest.length > 0 || items.length === 0)
      say('K8N201', rest, { what: `${own} ${difference(rest)}`, ...reason }, service);
  },
  firewall: (context, service) => {
    const { say, items, diff } = context;
    if (diff.expected === undefined && service === undefined) {
      explainLeft(context, service);
      return;
    }
    // Where the load balancer's addresses are left, so is what else there is of them.
    const leftRole: Role = diff.expected === undefined ? { follows: ['left'] } : {};
    const role = diff.found === undefined ? absentPartRole : leftRole;
    say('K8N512', items, { what: `${escapeText(diff.chain)} ${difference(items)}`, role }, service);
  },
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

/** A chain that the Service has only under another name, or lacks as a whole. */
const absentPartRole = { follows: ['unknown', 'refused', 'otherWay'] } as const;

/** A chain of a Service that has no use for it, or of one that is gone. */
function explainLeft({ say, items, diff }: ExplainContext, service: KnownService | undefined): void {
  const own = escapeText(diff.chain);
  const of = nftServiceName(diff.chain);
  if (service === undefined) {
    const endpoints = items.flatMap(statementsOf).flatMap((one) => endpointsIn(one, diff));
    const role = { tells: 'strangers', follows: ['left', 'otherWay'], of, about: endpoints } as const;
    say('K8N202', items, { what: `the chain ${own}, which no Service has`, role });
  } else {
    const role = { follows: ['strangers', 'otherWay', 'left'] } as const;
    say('K8N202', items, { what: `the chain ${own}, which the Service does not need`, role, ...lostRules }, service);
  }
}

function explainEndpoint({ say, items, diff }: ExplainContext, service: KnownService | undefined): void {
  const own = escapeText(diff.chain);
  if (diff.found === undefined || !hasLines(diff.found)) {
    const role = diff.found === undefined ? absentEndpointRole : {};
    say('K8N204', items, { what: `the endpoint chain ${own} is missing or empty`, role }, service);
    return;
  }
  if (diff.expected === undefined) {
    const of = nftServiceName(diff.chain);
    const role = { follows: ['strangers', 'affinity', 'left', 'otherWay'], of } as const;
    say('K8N203', items, { what: `the endpoint chain ${own} is of no endpoint`, role }, service);
    return;
  }
  const affinity = items.filter(remembersClients);
  const hairpin = items.filter((item) => !affinity.includes(item) && isMarking(item));
  const rest = items.filter((item) => !affinity.includes(item) && !hairpin.includes(item));
  if (affinity.length > 0) {
    const role = { follows: ['affinity'] } as const;
    say('K8N304', affinity, { what: `${own} ${rememberSeen(affinity, service)}`, role }, service);
  }
  if (hairpin.length > 0)
    say('K8N403', hairpin, { what: `${own} does not mark what the endpoint sends itself` }, service);
  if (rest.length > 0) say('K8N203', rest, { what: `${own} does not lead to its endpoint` }, service);
}

function explainService(context: ExplainContext, service: KnownService | undefined): void {
  const { say, items, diff } = context;
  const own = escapeText(diff.chain);
  if (diff.expected === undefined) {
    const to = [...new Set(items.flatMap(statementsOf).flatMap((one) => endpointsIn(one, diff)))];
    const reached = new Set(reachedOf(service));
    const strangers = to.filter((one) => !reached.has(one));
    if (service === undefined || strangers.length === 0) explainLeft(context, service);
    else say('K8N203', items, strangersOf(diff, strangers, service), service);
    return;
  }
  if (diff.found === undefined || !hasLines(diff.found)) {
    const isAbsent = diff.found === undefined;
    const role = isAbsent ? absentPartRole : {};
    say('K8N205', items, { what: `the chain ${own} is missing or empty`, role }, service);
    return;
  }
  const affinity = items.filter(remembersClients);
  const marks = items.filter((item) => !affinity.includes(item) && isMarking(item));
  const balance = items.filter((item) => !affinity.includes(item) && !marks.includes(item));
  if (affinity.length > 0) {
    const role = affinityRole(affinity.flatMap(statementsOf).flatMap((one) => endpointsIn(one, diff)));
    say('K8N304', affinity, { what: `${own} ${lookSeen(affinity, service)}`, role }, service);
  }
  if (marks.length > 0) {
    // Its rule has the cluster IP, too.
    const role = { follows: ['unknown', 'otherWay', 'strangers'] } as const;
    const what = `${own} masquerades other traffic than it should`;
    say('K8N401', marks, { what, role, ...unmarkedReason(diff) }, service);
  }
  if (balance.length === 0) return;
  const of = (side: RuleDifference['side']) => balance.filter((item) => item.side === side).flatMap(statementsOf);
  const endpoints = (side: RuleDifference['side']) => new Set(of(side).flatMap((one) => endpointsIn(one, diff)));
  const [should, has] = [endpoints('missing'), endpoints('extra')];
  const lost = [...should].filter((one) => !has.has(one));
  const stale = [...has].filter((one) => !should.has(one));
  if (lost.length > 0) {
    const role = { tells: 'lacking', about: lost } as const;
    say('K8N204', balance, { what: `${own} does not lead to ${listOf(lost)}`, role }, service);
  }
  if (stale.length > 0) say('K8N203', balance, strangersOf(diff, stale, service), service);
  if (lost.length + stale.length > 0) return;
  // With affinity each endpoint has a chain.
  const role = { follows: ['affinity'] } as const;
  // The same choice among the same endpoints: only the treatment of a packet differs.
  const isSameChoice = choices(of('missing')) === choices(of('extra'));
  if (isSameChoice)
    say('K8N203', balance, { what: `${own} does not lead to its endpoints as it should`, role }, service);
  else say('K8N302', balance, { what: `${own} does not share evenly`, role }, service);
}

/** The endpoints of chains that a rule names, or that it translates to: `10.244.1.10:8080`. */
function endpointsIn(
  statement: Statement,
  { foundSet, expectedSet, table }: ExplainContext['diff'],
): readonly string[] {
  if (statement.kind !== 'nat') {
    const names = chainsNamed(statement).filter((chain) => chain.startsWith('endpoint-'));
    return names.map((name) => nftEndpoint(name, [foundSet, expectedSet], table) ?? name);
  }
  return translatedTo(statement).flatMap(({ address, port }) =>
    port === undefined ? [] : [ipPort(address, Number(port))],
  );
}

/** The chain for policy Local sends to some of the endpoints of the other. */
function strangersOf(
  { chain }: ExplainContext['diff'],
  strangers: readonly string[],
  service?: KnownService,
): SaidParts {
  const isFirst = nftChainKind(chain) !== 'localBalance';
  return strangerParts(`${escapeText(chain)} sends traffic`, strangers, service, isFirst);
}

/** Where the chain of an endpoint leads. */
function nftEndpoint(name: string, sides: readonly ToolRules[], table: string): string | undefined {
  for (const { tables } of sides) {
    const rules = nftRulesOf(tables.get(table)?.chains.get(name));
    const [target] = rules.flatMap(({ item }) => item.statements.flatMap(translatedTo));
    if (target?.port !== undefined) return ipPort(target.address, Number(target.port));
  }
  return undefined;
}

/** How a number is drawn, and where each one leads. */
function choices(statements: readonly Statement[]): string {
  const drawn = statements.map((one) => (one.kind === 'nat' ? one.lookup : one.kind === 'vmap' ? one : undefined));
  return JSON.stringify(drawn.filter((one) => one?.key.kind === 'numgen'));
}

function serviceOf({ diff, index }: ExplainContext): KnownService | undefined {
  return index.byName.get(nftServiceName(diff.chain) ?? '');
}
