import type { Family } from '../common/addresses/family.ts';
import { addTo } from '../common/addTo.ts';
import type { Rule, Word } from '../netfilter/iptables/ast.ts';
import { linesOf } from '../node/lines/chainLines.ts';
import type { ToolRules } from '../node/nodeRules.ts';
import type { RuleChain } from '../node/ruleChain.ts';
import { ruleOf, rulesOf } from '../node/rulesOf.ts';
import { commute } from './commute.ts';
import { ruleKey } from './ruleKey.ts';

export type CompareLevel = 'bytes' | 'text' | 'rules' | 'roles';

/** Two chains of one name side by side. Numbers are places in their lists of lines. */
export interface LineDiff {
  readonly missing: readonly number[];
  readonly extra: readonly number[];
  /** Rules that both sides have in an order that differs and matters: place expected, place found. */
  readonly moved: readonly (readonly [number, number])[];
}

/**
 * Compares the lines of two chains at a level, as far as the found set shows them; undefined: no relevant difference.
 * `freeRules` are the places of expected rules whose order among each other does not matter.
 */
export function diffChain(
  expected: RuleChain,
  found: RuleChain,
  { kind, family, hidesInterfaces }: Pick<ToolRules, 'kind' | 'family' | 'hidesInterfaces'>,
  level: CompareLevel,
  freeRules: () => ReadonlySet<number> = () => none,
): LineDiff | undefined {
  if (expected.text === found.text) return undefined;
  const isRules = kind === 'iptables';
  const text = pairUp(linesOf(expected), linesOf(found));
  let { missing, extra } = text;
  const pairs = text.pairs;
  const isOfNft = kind === 'nftables' && (level === 'rules' || level === 'roles');
  if ((isOfNft || (isRules && level !== 'bytes')) && missing.length > 0 && extra.length > 0) {
    const keyOf = (line: string) => {
      if (isOfNft) return line.replace(anonymousCounter, '');
      const rule = ruleOf(line, family);
      if (level === 'text') return JSON.stringify({ ...rule, line: 0 });
      return ruleKey(hidesInterfaces ? { ...rule, words: rule.words.filter(isShown) } : rule);
    };
    const byKey = pairUp(
      missing.map((at) => keyOf(linesOf(expected)[at] as string)),
      extra.map((at) => keyOf(linesOf(found)[at] as string)),
    );
    for (const [one, other] of byKey.pairs) pairs.push([missing[one] as number, extra[other] as number]);
    missing = byKey.missing.map((at) => missing[at] as number);
    extra = byKey.extra.map((at) => extra[at] as number);
  }
  const isOrdered = isRules || (kind === 'nftables' && !/^(?:set|map) /.test(found.name));
  const mayCommute = isRules && level !== 'bytes' && level !== 'text';
  const moved = isOrdered ? movedPairs(pairs, expected, family, mayCommute ? freeRules : undefined) : [];
  return missing.length + extra.length + moved.length === 0 ? undefined : { missing, extra, moved };
}

const none: ReadonlySet<number> = new Set();

/** People who look for packets add counters to rules: they change nothing. */
const anonymousCounter = /\bcounter (?!name )/g;

function isShown({ kind }: Word): boolean {
  return kind !== 'inInterface' && kind !== 'outInterface';
}

/** Pairs equal texts, first with first. */
function pairUp(one: readonly string[], other: readonly string[]) {
  const places = new Map<string, number[]>();
  for (let at = one.length - 1; at >= 0; at -= 1) {
    const text = one[at] as string;
    addTo(places, text, at);
  }
  const pairs: (readonly [number, number])[] = [];
  const extra: number[] = [];
  const isPaired = new Uint8Array(one.length);
  for (let at = 0; at < other.length; at += 1) {
    const match = places.get(other[at] as string)?.pop();
    if (match === undefined) extra.push(at);
    else {
      pairs.push([match, at]);
      isPaired[match] = 1;
    }
  }
  const missing: number[] = [];
  for (let at = 0; at < one.length; at += 1) if (isPaired[at] === 0) missing.push(at);
  return { pairs, missing, extra };
}

/**
 * Pairs in a different order that matters. In chains with rules for many addresses, each address and port is compared
 * separately: rules for two of them never match one packet.
 */
function movedPairs(
  pairs: readonly (readonly [number, number])[],
  expected: RuleChain,
  family: Family,
  freeRules: (() => ReadonlySet<number>) | undefined,
): readonly (readonly [number, number])[] {
  const sorted = [...pairs].sort((a, b) => a[1] - b[1]);
  if (isIncreasing(sorted)) return [];
  if (freeRules === undefined) return outsideLongestRun(sorted);
  const free = freeRules();
  const rules = rulesOf(expected, family);
  const groups = new Map<string, [number, number][]>();
  const everywhere: (readonly [number, number])[] = [];
  for (const [one, other] of sorted) {
    const key = groupOf(rules[one] as Rule);
    if (key === undefined) everywhere.push([one, other]);
    else {
      addTo(groups, key, [one, other]);
    }
  }
  const moved = new Map<number, readonly [number, number]>();
  for (const group of groups.size === 0 ? [] : groups.values()) addMoved(moved, group, rules);
  if (everywhere.length > 0) addMovedWide(moved, everywhere, sorted, rules, free);
  return [...moved.values()];
}

/** Rules for one address and port; undefined: the rule can match packets of several. */
function groupOf(rule: Rule): string | undefined {
  let destination = '';
  let port = '';
  for (const word of rule.words) {
    if (word.kind === 'destination' && !word.negated && /\/(?:32|128)$/.test(word.address)) destination = word.address;
    if (word.kind === 'transport' && word.destinationPort !== undefined && !word.destinationPortNegated) {
      port = `${word.protocol} ${word.destinationPort}`;
    }
  }
  return port === '' ? undefined : `${destination} ${port}`;
}

function addMoved(
  moved: Map<number, readonly [number, number]>,
  group: readonly (readonly [number, number])[],
  rules: readonly Rule[],
): void {
  if (isIncreasing(group)) return;
  const few = group.slice(0, mostCompared);
  for (const [at, pair] of few.entries()) {
    for (const later of few.slice(at + 1)) {
      if (later[0] > pair[0] || commute(rules[pair[0]] as Rule, rules[later[0]] as Rule)) continue;
      const culprit = marks(rules[later[0]]) ? later : pair;
      moved.set(culprit[0], culprit);
    }
  }
}

/**
 * Compares rules that match much, such as the jump to KUBE-NODEPORTS, with all others. If a free rule and another
 * change places, the other moved.
 */
function addMovedWide(
  moved: Map<number, readonly [number, number]>,
  wide: readonly (readonly [number, number])[],
  all: readonly (readonly [number, number])[],
  rules: readonly Rule[],
  free: ReadonlySet<number>,
): void {
  for (const pair of wide.slice(0, mostCompared)) {
    const isFree = free.has(pair[0]);
    for (const other of all) {
      const isSwapped = other[0] < pair[0] !== other[1] < pair[1];
      if (!isSwapped || moved.has(other[0]) || (isFree && free.has(other[0]))) continue;
      if (commute(rules[pair[0]] as Rule, rules[other[0]] as Rule)) continue;
      const isOther = isFree || marks(rules[other[0]]);
      const culprit = isOther ? other : pair;
      moved.set(culprit[0], culprit);
      if (!isOther) break;
    }
  }
}

/** It returns after it marked the packet: too late if a previous rule sent the packet away. */
function marks(rule: Rule | undefined): boolean {
  return rule?.target?.kind === 'jump' && rule.target.chain === 'KUBE-MARK-MASQ';
}

/** Groups in real rule sets are small; hostile ones must not cost quadratic time. */
const mostCompared = 64;

function isIncreasing(pairs: readonly (readonly [number, number])[]): boolean {
  for (let at = 1; at < pairs.length; at += 1) {
    if ((pairs[at - 1] as readonly [number, number])[0] > (pairs[at] as readonly [number, number])[0]) return false;
  }
  return true;
}

/** What remains without the longest run that kept its order. */
function outsideLongestRun(pairs: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const tails: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  const value = (at: number) => (pairs[at] as readonly [number, number])[0];
  for (let at = 0; at < pairs.length; at += 1) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (value(tails[middle] as number) < value(at)) low = middle + 1;
      else high = middle;
    }
    before[at] = low > 0 ? (tails[low - 1] as number) : -1;
    tails[low] = at;
  }
  const isKept = new Uint8Array(pairs.length);
  for (let at = tails.at(-1) ?? -1; at !== -1; at = before[at] as number) isKept[at] = 1;
  return pairs.filter((_, at) => isKept[at] === 0);
}
