import { cidrContains } from '../../../common/addresses/cidr.ts';
import { hostOfCidr } from '../../../common/addresses/hostOfCidr.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import type { Rule, Word } from '../../../netfilter/iptables/ast.ts';
import { destinationOf } from '../../../netfilter/iptables/ruleParts.ts';
import { isBalancingChain, isProxyChain, serviceChainKind } from '../../../netfilter/proxyChains.ts';
import { eachChain, suspectChains } from '../../../node/chains/eachChain.ts';
import { usualEndpoint } from '../../../node/chains/usualEndpoint.ts';
import { lineCount, linesOf, placeOf } from '../../../node/lines/chainLines.ts';
import type { RuleTable, ToolRules } from '../../../node/nodeRules.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';
import { ruleOf } from '../../../node/rulesOf.ts';
import { serviceOfPort } from '../../../seen/names/serviceOfPort.ts';
import { servicePortServed } from '../../../seen/names/servicePortServed.ts';
import { makeFinding } from '../../makeFinding.ts';
import type { CheckScope } from '../checkScope.ts';
import type { DumpFinding } from '../dumpFinding.ts';
import { chainAlwaysEnds, type KnownWords } from './chainAlwaysEnds.ts';
import { isPlainQuestion } from './isPlainQuestion.ts';
import { loneLines } from './loneLines.ts';
import { wordKey } from './wordKey.ts';

/**
 * K8N214 and K8N215: rules in kube-proxy's chains that no packet reaches, because an earlier one takes everything that
 * they match; if the two belong to different Services, one of them answers for the other.
 */
export function* shadowChecks(set: ToolRules, { needsCheck, chosen }: CheckScope): Iterable<DumpFinding> {
  for (const table of set.tables.values()) {
    if (!table.isWhole) continue;
    const mayEnd = enderOf(table, set);
    for (const chain of eachChain(table, chosen(table.name) ?? (mayEnd(marking) ? undefined : suspectChains))) {
      // A rule cannot hide what the last rule does.
      if (!hasSeveralLines(chain) || !isProxyChain(chain.name) || !needsCheck(table.name, chain.name, true)) continue;
      // It only marks packets before it translates them.
      if (usualEndpoint(chain.text) !== undefined && !mayEnd(marking)) continue;
      yield* shadowsIn(table, chain, set, mayEnd);
    }
  }
}

/** What the first rule of an endpoint's chain does. */
const marking: Rule = { chain: '', words: [], target: { kind: 'jump', chain: 'KUBE-MARK-MASQ' } };

/** A rule that takes all packets with the words that it matches, if its target always ends. */
interface Taker {
  readonly at: number;
  readonly rule: Rule;
  /** Made on demand: most rules of a large chain have an address of their own. */
  readonly words: () => ReadonlySet<string>;
  readonly network: string | undefined;
}

function hasSeveralLines({ text }: RuleChain): boolean {
  return text.includes('\n');
}

function* shadowsIn(
  table: RuleTable,
  chain: RuleChain,
  set: ToolRules,
  mayEnd: (rule: Rule) => boolean,
): Iterable<DumpFinding> {
  const lines = linesOf(chain);
  const byDestination = new Map<string, Taker[]>();
  const wide: Taker[] = [];
  let wideRules = 0;
  const hidden: { readonly at: number; readonly rule: Rule; readonly by: Taker }[] = [];
  const loneAt = loneLines(lines, set.family);
  for (let at = 0; at < lines.length; at += 1) {
    if (at === lines.length - 1 && byDestination.size === 0 && wide.length === 0) break;
    const lone = wide.length === 0 ? loneAt(at) : undefined;
    if (lone === 'port' && at < lines.length - 1) wideRules += 1;
    if (lone !== undefined) continue;
    // Not remembered: a chain may have a million rules.
    const rule = ruleOf(lines[at] as string, set.family);
    const destination = destinationOf(rule);
    const own = byDestination.get(destination ?? '');
    if (own !== undefined || wide.length > 0) {
      const given = { words: wordsOf(rule), destination };
      const takesAll = (taker: Taker) => takes(taker, given) && ends(taker.rule, given.words, table, set);
      const by = own?.find(takesAll) ?? wide.find(takesAll);
      // A rule that does the same as the one before it changes nothing.
      const isSame = by !== undefined && JSON.stringify(by.rule.target) === JSON.stringify(rule.target);
      if (by !== undefined && !isSame && !isToldElsewhere(rule, chain)) hidden.push({ at, rule, by });
    }
    if (at === lines.length - 1 || rule.target === undefined || !rule.words.every(isPure)) continue;
    const network = networkOf(destination);
    const isWide = destination === undefined || network !== undefined;
    if (isWide) wideRules += 1;
    if ((isWide && wideRules > mostWide) || !mayEnd(rule)) continue;
    const taker: Taker = { at, rule, words: wordsOnce(rule), network };
    if (isWide) wide.push(taker);
    else append(byDestination, destination as string, taker);
  }
  const about = { table: table.name, chain: chain.name };
  for (const { at, rule, by } of hidden.slice(0, mostTold)) {
    const [service = '', other = ''] = [rule, by.rule].map((one) => servicePortServed(one, chain, table, set.family));
    const found = [placeOf(chain, at), placeOf(chain, by.at)];
    const parts = { ...(service !== '' && { service }), found };
    if (service !== '' && other !== '' && serviceOfPort(service) !== serviceOfPort(other)) {
      const address = hostOfCidr(destinationOf(rule) ?? '');
      const seen = `${escapeText(chain.name)} sends what is for ${service} to ${other}: ${escapeText(lines[by.at] ?? '')}`;
      yield { finding: makeFinding('K8N215', { ...parts, what: seen, ...(address && { names: { address } }) }), about };
    } else {
      const seen = `in ${escapeText(chain.name)} no packet gets to ${escapeText(lines[at] ?? '')}`;
      yield { finding: makeFinding('K8N214', { ...parts, what: seen }), about };
    }
  }
}

/**
 * Rules for all destinations, or for networks, are compared with each rule after them: a chain of kube-proxy has few.
 */
const mostWide = 50;

const mostTold = 20;

function append(map: Map<string, Taker[]>, key: string, taker: Taker): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [taker]);
  else known.push(taker);
}

interface AskedBy {
  readonly words: ReadonlySet<string>;
  /** As the rule spells it; undefined: any. */
  readonly destination: string | undefined;
}

function wordsOf(rule: Rule): ReadonlySet<string> {
  const words = new Set<string>();
  for (const word of rule.words) {
    const key = word.kind === 'comment' ? '' : wordKey(word);
    if (key !== undefined && key !== '') words.add(key);
  }
  return words;
}

function wordsOnce(rule: Rule): () => ReadonlySet<string> {
  let words: ReadonlySet<string> | undefined;
  return () => {
    words ??= wordsOf(rule);
    return words;
  };
}

function isPure(word: Word): boolean {
  return word.kind === 'comment' || isPlainQuestion(word);
}

function networkOf(destination: string | undefined): string | undefined {
  const length = destination === undefined ? undefined : /\/(\d+)$/.exec(destination)?.[1];
  return length === undefined || length === '32' || length === '128' ? undefined : destination;
}

/** The earlier rule matches every packet that the later one matches. */
function takes({ words, network }: Taker, given: AskedBy): boolean {
  for (const key of words()) {
    if (given.words.has(key)) continue;
    const isInside =
      network !== undefined &&
      given.destination !== undefined &&
      key === JSON.stringify({ kind: 'destination', address: network }) &&
      cidrContains(network, hostOfCidr(given.destination));
    if (!isInside) return false;
  }
  return true;
}

/** Separates rules that may end what matches them from those that let every packet pass. */
function enderOf({ chains }: RuleTable, { family }: ToolRules): (rule: Rule) => boolean {
  const known = new Map<string, boolean>(verdicts.map((verdict) => [verdict, true]));
  return ({ target }) => {
    if (target?.kind !== 'jump') return true;
    let mayEnd = known.get(target.chain);
    if (mayEnd === undefined) {
      const chain = chains.get(target.chain);
      mayEnd =
        chain !== undefined &&
        (lineCount(chain) > mostAsked || linesOf(chain).some((line) => isEnding(ruleOf(line, family))));
      known.set(target.chain, mayEnd);
    }
    return mayEnd;
  };
}

function isEnding({ target }: Rule): boolean {
  return target !== undefined && target.kind !== 'mark';
}

const verdicts = ['ACCEPT', 'DROP', 'RETURN'];
const mostAsked = 10;

function ends({ target }: Rule, given: KnownWords, table: RuleTable, { family }: ToolRules): boolean {
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

/** Steps of a balancing chain are recognized by their shares. */
function isToldElsewhere({ target }: Rule, chain: RuleChain): boolean {
  return isBalancingChain(chain.name) && target?.kind === 'jump' && serviceChainKind(target.chain) === 'endpoint';
}
