import { cidrContains } from '../../common/cidr.ts';
import { escapeText } from '../../common/escapeText.ts';
import type { Rule } from '../../netfilter/iptables/ast.ts';
import { linesOf, placeOf } from '../../node/chainLines.ts';
import { isBalancingChain, isProxyChain } from '../../node/foreignPrograms.ts';
import type { RuleChain, RuleTable, ToolRules } from '../../node/nodeRules.ts';
import { rulesOf } from '../../node/rulesOf.ts';
import { serviceOfPort } from '../../node/serviceOfPort.ts';
import { servicePortOfRule } from '../../node/servicePortOfRule.ts';
import { makeFinding } from '../makeFinding.ts';
import { chainAlwaysEnds, type Given } from './chainAlwaysEnds.ts';
import type { DumpFinding, NeedsCheck } from './dumpFinding.ts';
import { wordKey } from './wordKey.ts';

/**
 * K8N214 and K8N215: rules of kube-proxy's chains that no packet gets to, since one before them takes all that they ask
 * for; and where those two are of two Services, that one answers for the other.
 */
export function* shadowChecks(set: ToolRules, needsCheck: NeedsCheck): Iterable<DumpFinding> {
  for (const table of set.tables.values()) {
    if (!table.isWhole) continue;
    for (const chain of table.chains.values()) {
      if (!isProxyChain(chain.name) || !needsCheck(table.name, chain.name)) continue;
      yield* shadowsIn(table, chain, set);
    }
  }
}

/** A rule that takes all packets with these words, if its target always ends. */
interface Taker {
  readonly at: number;
  readonly rule: Rule;
  readonly words: ReadonlySet<string>;
  readonly network: string | undefined;
}

function* shadowsIn(table: RuleTable, chain: RuleChain, set: ToolRules): Iterable<DumpFinding> {
  const rules = rulesOf(chain, set.family);
  const byDestination = new Map<string, Taker[]>();
  const wide: Taker[] = [];
  const hidden: { readonly at: number; readonly by: Taker }[] = [];
  for (const [at, rule] of rules.entries()) {
    const given = givenBy(rule);
    // A rule that does the same as the one before it changes nothing.
    const candidates = [...(byDestination.get(given.destination ?? '') ?? []), ...wide];
    const by = candidates.find((taker) => takes(taker, given) && ends(taker.rule, given.words, table, set));
    const isSame = by !== undefined && JSON.stringify(by.rule.target) === JSON.stringify(rule.target);
    if (by !== undefined && !isSame && !isToldElsewhere(rule, chain)) hidden.push({ at, by });
    if (!given.isPure || rule.target === undefined) continue;
    const taker: Taker = { at, rule, words: given.words, network: networkOf(given.destination) };
    if (given.destination === undefined || taker.network !== undefined) {
      if (wide.length < mostWide) wide.push(taker);
    } else append(byDestination, given.destination, taker);
  }
  const lines = linesOf(chain);
  const about = `${table.name} ${chain.name}`;
  for (const { at, by } of hidden.slice(0, mostTold)) {
    const [service, other] = [servicePortOfRule(rules[at] as Rule), servicePortOfRule(by.rule)];
    const found = [placeOf(chain, at), placeOf(chain, by.at)];
    const parts = { ...(service !== '' && { service }), found };
    if (service !== '' && other !== '' && serviceOfPort(service) !== serviceOfPort(other)) {
      const seen = `${escapeText(chain.name)} sends what is for ${service} to ${other}: ${escapeText(lines[by.at] ?? '')}`;
      yield { finding: makeFinding('K8N215', { ...parts, seen }), about };
    } else {
      const seen = `in ${escapeText(chain.name)} no packet gets to ${escapeText(lines[at] ?? '')}`;
      yield { finding: makeFinding('K8N214', { ...parts, seen }), about };
    }
  }
}

/** Rules for all destinations, or for networks, are asked about each rule behind them: a chain of kube-proxy has few. */
const mostWide = 50;

const mostTold = 20;

function append(map: Map<string, Taker[]>, key: string, taker: Taker): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [taker]);
  else known.push(taker);
}

interface AskedBy {
  readonly words: ReadonlySet<string>;
  /** It asks for nothing else. */
  readonly isPure: boolean;
  /** As it is written; undefined: any. */
  readonly destination: string | undefined;
}

function givenBy(rule: Rule): AskedBy {
  const words = new Set<string>();
  let isPure = true;
  let destination: string | undefined;
  for (const word of rule.words) {
    if (word.kind === 'comment') continue;
    const key = wordKey(word);
    if (key === undefined) isPure = false;
    else if (key !== '') words.add(key);
    if (word.kind === 'destination' && !word.negated) destination = word.address;
  }
  return { words, isPure, destination };
}

function networkOf(destination: string | undefined): string | undefined {
  const length = destination === undefined ? undefined : /\/(\d+)$/.exec(destination)?.[1];
  return length === undefined || length === '32' || length === '128' ? undefined : destination;
}

/** All packets that the later rule asks for are asked for by the earlier one. */
function takes({ words, network }: Taker, given: AskedBy): boolean {
  for (const key of words) {
    if (given.words.has(key)) continue;
    const isInside =
      network !== undefined &&
      given.destination !== undefined &&
      key === JSON.stringify({ kind: 'destination', address: network }) &&
      cidrContains(network, given.destination.replace(/\/(?:32|128)$/, ''));
    if (!isInside) return false;
  }
  return true;
}

function ends({ target }: Rule, given: Given, table: RuleTable, { family }: ToolRules): boolean {
  if (target === undefined) return false;
  switch (target.kind) {
    case 'jump':
      if (target.chain === 'RETURN') return true;
      return /^(?:ACCEPT|DROP)$/.test(target.chain) || chainAlwaysEnds(target.chain, given, table, family);
    case 'reject':
    case 'dnat':
    case 'snat':
    case 'masquerade':
      return true;
    default:
      return false;
  }
}

/** Steps of a balancing chain are told by their shares. */
function isToldElsewhere({ target }: Rule, chain: RuleChain): boolean {
  return isBalancingChain(chain.name) && target?.kind === 'jump' && target.chain.startsWith('KUBE-SEP-');
}
