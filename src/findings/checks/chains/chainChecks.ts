import { findFirst } from '../../../common/findFirst.ts';
import { pushAll } from '../../../common/pushAll.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import type { Rule } from '../../../netfilter/iptables/ast.ts';
import { builtinChains } from '../../../netfilter/iptables/builtinChains.ts';
import { ruleHead } from '../../../netfilter/iptables/ruleHead.ts';
import {
  isNeighbourChain,
  isProxyChain,
  isServiceChain,
  type ServiceChainKind,
  serviceChainKind,
} from '../../../netfilter/proxyChains.ts';
import { staleChainsOf, usesOfNoRules } from '../../../node/chains/chainUses.ts';
import { eachChain, sharedChains, suspectChains } from '../../../node/chains/eachChain.ts';
import { chainPlace, hasLines, linesOf, placeOf } from '../../../node/lines/chainLines.ts';
import type { RuleTable, ToolRules } from '../../../node/nodeRules.ts';
import { pickRules } from '../../../node/pickRules.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';
import { ruleOf, targetName } from '../../../node/rulesOf.ts';
import { commands } from '../../../problems/catalogue/commands.ts';
import { servicePortText } from '../../../seen/names/readServicePortName.ts';
import { serviceOfRule } from '../../../seen/names/serviceInComment.ts';
import { servicePortServed } from '../../../seen/names/servicePortServed.ts';
import { makeFinding } from '../../makeFinding.ts';
import type { CheckScope } from '../checkScope.ts';
import type { DumpFinding } from '../dumpFinding.ts';
import { canaryChecks } from './canaryChecks.ts';

/** 2xx: jumps into nothing, chains that nothing leads to or declares, missing jumps, copies of rules. */
export function chainChecks(set: ToolRules, scope: CheckScope): readonly DumpFinding[] {
  const found: DumpFinding[] = [];
  const hasFirewallChain = set.tables.get('filter')?.chains.has('KUBE-PROXY-FIREWALL') === true;
  for (const table of set.tables.values()) {
    if (table.name !== 'nat' && table.name !== 'filter' && table.name !== 'mangle') continue;
    pushAll(found, copies(table, set, scope, hasFirewallChain));
    pushAll(found, undeclaredChains(table, set));
    if (table.name === 'nat') pushAll(found, afterLastRule(table));
    if (!table.isWhole || !scope.needsCheck(table.name)) continue;
    pushAll(found, jumpsIntoNothing(table, set));
    pushAll(found, staleChains(table));
    pushAll(found, missingJumps(table));
  }
  pushAll(found, emptyChains(set));
  pushAll(found, canaryChecks(set));
  return found;
}

function* jumpsIntoNothing(table: RuleTable, set: ToolRules): Iterable<DumpFinding> {
  let refused: ReadonlySet<string> | undefined;
  for (const { name, target, chain, at } of usesOfNoRules(table)) {
    const isMissing = !target?.isDeclared;
    const mustHaveRules = isServiceChain(name) || name === 'KUBE-MARK-MASQ' || name === 'KUBE-POSTROUTING';
    if (!isMissing && !mustHaveRules) continue;
    // Through 1.9 a Service without endpoints keeps an empty chain, and filter rejects its traffic.
    const rule = ruleOf(linesOf(chain)[at] as string, set.family);
    const service = servicePortServed(rule, chain, table, set.family);
    refused ??= refusedIn(set);
    const isRefused = refused.has(addressOf(rule)) || (service !== '' && refused.has(service));
    if (!isMissing && (isRefused || mayLeadNowhere.has(serviceChainKind(chain.name)))) {
      if (refused.size > 0 && isServiceChain(name) && serviceChainKind(name) !== 'endpoint') continue;
    }
    yield {
      finding: makeFinding('K8N205', {
        what: `${escapeText(chain.name)} leads to ${escapeText(name)}, which ${isMissing ? 'is not there' : 'is empty'}`,
        ...(service !== '' && { service }),
        found: [placeOf(chain, at)],
      }),
      about: { table: table.name, chain: name },
    };
  }
}

/** Entrances where the rules reject traffic, and the Service ports that have no endpoints. */
function refusedIn({ tables, family }: ToolRules): ReadonlySet<string> {
  const refused = new Set<string>();
  for (const name of ['KUBE-SERVICES', 'KUBE-EXTERNAL-SERVICES']) {
    for (const { rule } of pickRules(tables.get('filter')?.chains.get(name), family, {})) {
      refused.add(addressOf(rule));
      const named = serviceOfRule(rule);
      // If no endpoint is on this node, only traffic from outside is rejected, at its addresses.
      if (named?.what === 'has no endpoints') refused.add(servicePortText(named));
    }
  }
  return refused;
}

function addressOf(rule: Rule): string {
  const { destination = '', destinationPort = '' } = ruleHead(rule);
  return `${destination} ${destinationPort}`;
}

function* staleChains(table: RuleTable): Iterable<DumpFinding> {
  const services = table.chains.get('KUBE-SERVICES');
  // If the chain was emptied, it leads to none: that is another finding.
  if (services !== undefined && !hasLines(services)) return;
  const stale = staleChainsOf(table);
  const first = stale[0];
  if (first === undefined) return;
  const names = stale.slice(0, 3).map(({ name }) => escapeText(name));
  yield {
    finding: makeFinding('K8N206', {
      what: `nothing leads to ${stale.length === 1 ? 'the chain' : `${stale.length} chains:`} ${names.join(', ')}${stale.length > 3 ? ' …' : ''}`,
      found: stale.slice(0, 20).flatMap(chainPlace),
    }),
  };
}

const neededJumps: readonly (readonly [table: string, from: string, to: string])[] = [
  ['nat', 'PREROUTING', 'KUBE-SERVICES'],
  ['nat', 'OUTPUT', 'KUBE-SERVICES'],
  ['nat', 'POSTROUTING', 'KUBE-POSTROUTING'],
  ['nat', 'KUBE-SERVICES', 'KUBE-NODEPORTS'],
  ['filter', 'FORWARD', 'KUBE-FORWARD'],
  ['filter', 'INPUT', 'KUBE-NODEPORTS'],
  ['filter', 'INPUT', 'KUBE-PROXY-FIREWALL'],
  ['filter', 'FORWARD', 'KUBE-PROXY-FIREWALL'],
  // IPVS mode.
  ['filter', 'INPUT', 'KUBE-NODE-PORT'],
  ['filter', 'INPUT', 'KUBE-IPVS-FILTER'],
  ['filter', 'OUTPUT', 'KUBE-IPVS-OUT-FILTER'],
];

function* missingJumps(table: RuleTable): Iterable<DumpFinding> {
  for (const [name, from, to] of neededJumps) {
    if (name !== table.name || !hasLines(table.chains.get(to))) continue;
    const chain = table.chains.get(from);
    if (isProxyChain(from) && !hasLines(chain)) continue;
    if (linesOf(chain).some((line) => targetName(line) === to)) continue;
    if (isCalledByOthers(table, to)) continue;
    const parts = {
      what: `${from} of the table ${name} does not jump to ${to}`,
      found: chain ? chainPlace(chain) : [],
    };
    const about = { table: name, chain: from };
    if (from !== 'KUBE-SERVICES') yield { finding: makeFinding('K8N207', parts), about };
    else yield { finding: makeFinding('K8N207', { ...parts, ...noNodePorts }), about, isForDumpsAlone: true };
  }
}

/** A chain of another program may be in between. */
function isCalledByOthers(table: RuleTable, to: string): boolean {
  const others = eachChain(table, sharedChains);
  const isBetween = ({ name }: RuleChain) => !isProxyChain(name) && !builtinChains(table.name).includes(name);
  const calls = (chain: RuleChain) => isBetween(chain) && linesOf(chain).some((line) => targetName(line) === to);
  return findFirst(others, calls) !== undefined;
}

/** A dump does not show which of the two it is. */
const noNodePorts = {
  severity: 'warning',
  isAdvice: true,
  why: 'The jump was deleted, or nodePortAddresses matches no address of the node, so that kube-proxy writes none. No node port answers.',
  fix: `See nodePortAddresses in kube-proxy’s configuration: \`kubectl -n kube-system get configmap kube-proxy -o yaml\`. If it is empty or matches an address of the node, the jump was lost. ${commands.restart}`,
} as const;

/**
 * Neither kube-proxy nor the kubelet writes a rule twice. There was one exception until KUBE-PROXY-FIREWALL came
 * (1.25): the source ranges of several load-balancer IPs were in one chain, once for each IP.
 */
function* copies(
  table: RuleTable,
  { family, hidesInterfaces }: ToolRules,
  { needsCheck, chosen }: CheckScope,
  hasFirewallChain: boolean,
): Iterable<DumpFinding> {
  const mayTable = needsCheck(table.name);
  for (const chain of eachChain(table, chosen(table.name) ?? suspectChains)) {
    const isShared = builtinChains(table.name).includes(chain.name) || isNeighbourChain(table.name, chain.name);
    if (!isShared && (!mayTable || !isProxyChain(chain.name) || !needsCheck(table.name, chain.name))) continue;
    if (!hasFirewallChain && serviceChainKind(chain.name) === 'firewall') continue;
    const seen = new Map<string, number>();
    const lines = linesOf(chain);
    const isHuge = lines.length > mostCompared;
    for (const [at, line] of lines.entries()) {
      // Rules of other programs that look alike may be for different interfaces.
      if ((isHuge || hidesInterfaces) && !line.includes(' KUBE-')) continue;
      const first = seen.get(line);
      if (first === undefined) {
        seen.set(line, at);
        continue;
      }
      if (first < 0) continue;
      seen.set(line, -1);
      const service = servicePortServed(ruleOf(line, family), chain, table, family);
      // A comparison folds what the kubelet writes, and its chains count as equal.
      const isNeighbours = isNeighbourChain(table.name, chain.name) || isNeighbourChain(table.name, targetName(line));
      yield {
        finding: makeFinding('K8N105', {
          what: `${escapeText(chain.name)} holds a rule more than once: ${escapeText(line)}`,
          ...(service !== '' && { service }),
          found: [placeOf(chain, first), placeOf(chain, at)],
        }),
        ...(!isNeighbours && { about: { table: table.name, chain: chain.name } }),
      };
    }
  }
}

/** Longer chains are lists of other programs: only rules that lead to chains of kube-proxy are checked. */
const mostCompared = 100_000;

/** A save declares every chain: rules of an undeclared chain cannot be loaded. */
function* undeclaredChains(table: RuleTable, { family }: ToolRules): Iterable<DumpFinding> {
  if (!table.isWhole) return;
  const builtin = builtinChains(table.name);
  const undeclared: RuleChain[] = [];
  const isOwn = ({ name }: RuleChain) => !builtin.includes(name);
  const declared = findFirst(eachChain(table), (chain) => isOwn(chain) && chain.isDeclared);
  for (const chain of eachChain(table, sharedChains)) {
    if (!isOwn(chain) || chain.isDeclared) continue;
    if (isProxyChain(chain.name) || isNeighbourChain(table.name, chain.name)) undeclared.push(chain);
  }
  if (declared === undefined || undeclared.length > mostUndeclared) return;
  for (const chain of undeclared) {
    const service = servicePortServed(undefined, chain, table, family);
    yield {
      finding: makeFinding('K8N205', {
        what: `the chain ${escapeText(chain.name)} has rules and is not declared`,
        ...(service !== '' && { service }),
        found: chainPlace(chain),
      }),
    };
  }
}

/** If more declarations are missing, somebody cut the text. */
const mostUndeclared = 20;

/** The comment of the jump to KUBE-NODEPORTS says that it must be the last. */
function* afterLastRule(table: RuleTable): Iterable<DumpFinding> {
  const chain = table.chains.get('KUBE-SERVICES');
  if (chain === undefined) return;
  const last = linesOf(chain).findIndex((line) => targetName(line) === 'KUBE-NODEPORTS');
  if (last === -1) return;
  const behind = linesOf(chain).findIndex((line, at) => at > last && targetName(line) !== 'KUBE-NODEPORTS');
  if (behind === -1) return;
  yield {
    finding: makeFinding('K8N213', {
      what: `a rule follows the jump to KUBE-NODEPORTS: ${escapeText(linesOf(chain)[behind] as string)}`,
      found: [placeOf(chain, behind), placeOf(chain, last)],
    }),
    // The finding is about no chain, so it appears even if the rules commute and the chain counts as equal.
  };
}

/** The fixed chains have rules in every version. */
function* emptyChains(set: ToolRules): Iterable<DumpFinding> {
  const nat = set.tables.get('nat');
  if (!nat?.isWhole || !nat.chains.has('KUBE-SERVICES')) return;
  for (const { chains } of set.tables.values()) {
    for (const chain of chains.values()) if (hasLines(chain) && isProxyChain(chain.name)) return;
  }
  yield {
    finding: makeFinding('K8N212', {
      what: 'KUBE-SERVICES and all other chains of kube-proxy are empty',
      found: chainPlace(nat.chains.get('KUBE-SERVICES') as RuleChain),
    }),
  };
}

/** Kinds of chains that may lead to an empty one while traffic to their Service is rejected. */
const mayLeadNowhere: ReadonlySet<ServiceChainKind | undefined> = new Set([
  'balance',
  'firewall',
  'localExternal',
] as const);
