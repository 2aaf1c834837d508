import { hostOfCidr } from '../../../common/addresses/hostOfCidr.ts';
import { readIpPort } from '../../../common/addresses/readIpPort.ts';
import { memoized } from '../../../common/memoized.ts';
import { count } from '../../../common/text/count.ts';
import { escapeText } from '../../../common/text/escapeText.ts';
import { firstFew } from '../../../common/text/firstFew.ts';
import { type Ladder, readLadder, tolerance } from '../../../compare/ladder.ts';
import { dialectOf } from '../../../dialect/dialectOf.ts';
import type { Rule } from '../../../netfilter/iptables/ast.ts';
import { isBalancingChain, serviceChainKind } from '../../../netfilter/proxyChains.ts';
import { isUsed } from '../../../node/chains/chainUses.ts';
import { eachChain, suspectChains } from '../../../node/chains/eachChain.ts';
import { usualEndpoint } from '../../../node/chains/usualEndpoint.ts';
import { endpointOf } from '../../../node/endpointOf.ts';
import { chainPlace, hasLines, placeOf } from '../../../node/lines/chainLines.ts';
import type { RuleTable, ToolRules } from '../../../node/nodeRules.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';
import { readRules } from '../../../node/rulesOf.ts';
import { servicePortServed } from '../../../seen/names/servicePortServed.ts';
import { detectedIn } from '../../../seen/versions/detectedIn.ts';
import { makeFinding } from '../../makeFinding.ts';
import type { CheckScope } from '../checkScope.ts';
import type { DumpFinding } from '../dumpFinding.ts';
import { affinityChecks } from './affinityChecks.ts';

/**
 * 3xx and hairpin: the total effect of a balancing chain. If the table is incomplete, only its lines count, and nothing
 * that it lacks.
 */
export function* ladderChecks(set: ToolRules, { needsCheck, chosen }: CheckScope): Iterable<DumpFinding> {
  const nat = set.tables.get('nat');
  if (nat === undefined || !needsCheck('nat')) return;
  for (const chain of eachChain(nat, chosen(nat.name) ?? suspectChains)) {
    if (!needsCheck('nat', chain.name)) continue;
    if (isBalancingChain(chain.name)) {
      yield* balance(nat, chain, set);
      yield* affinityChecks(nat, chain, set);
    } else if (nat.isWhole && serviceChainKind(chain.name) === 'endpoint') yield* hairpin(nat, chain, set);
  }
}

/** A version may have written the rules that keeps chains of endpoints which are not ready, for returning clients (1.22). */
const mayKeepNotReady = memoized((set: ToolRules): boolean => {
  const { versions = [] } = detectedIn('iptables', [set]) ?? {};
  return versions.some((version) => dialectOf('iptables', version).plan.reachesNotReady);
});

function* balance(nat: RuleTable, chain: RuleChain, set: ToolRules): Iterable<DumpFinding> {
  const rules = readRules(chain, set.family);
  const ladder = readLadder(rules);
  if (ladder.steps.length === 0) return;
  const about = { table: 'nat', chain: chain.name };
  // Nearly all chains are in order, and nobody asks whose they are.
  const parts = () => servedBy(chain, nat, set);
  const name = escapeText(chain.name);
  const last = ladder.steps.at(-1) as number;
  if (nat.isWhole && ladder.rest > tolerance) {
    const percent = (ladder.rest * 100).toFixed(1);
    const seen = `${percent} % of the traffic passes all rules of ${name}: the last one has a probability`;
    yield { finding: makeFinding('K8N301', { ...parts(), what: seen, found: [placeOf(chain, last)] }), about };
  }
  if (ladder.dead.length > 0) {
    const found = ladder.dead.slice(0, 10).map((at) => placeOf(chain, at));
    const seen = `${count(ladder.dead.length, 'rule')} of ${name} ${ladder.dead.length === 1 ? 'follows' : 'follow'} one that always matches`;
    yield { finding: makeFinding('K8N303', { ...parts(), what: seen, found }), about };
  }
  const idle = idleTargets(ladder, rules, () => nat.isWhole && !mayKeepNotReady(set));
  if (idle.length > 0) {
    const endpoints = idle.map((target) => escapeText(endpointOf(nat.chains.get(target), set.family) ?? target));
    const seen = `${name} sends no new connection to ${firstFew(endpoints, 4)}`;
    yield { finding: makeFinding('K8N308', { ...parts(), what: seen, found: chainPlace(chain) }), about };
  }
  const twice = ladder.repeated[0] ?? sameAddress(ladder, nat, set);
  if (twice !== undefined) {
    const seen = `${name} leads to ${escapeText(twice)} by more than one rule`;
    yield { finding: makeFinding('K8N303', { ...parts(), what: seen, found: chainPlace(chain) }), about };
  }
  if (ladder.dead.length === 0 && ladder.rest <= tolerance && isUneven(ladder)) {
    const shares = [...ladder.weights].slice(0, 4).map(([, weight]) => `${(weight * 100).toFixed(1)} %`);
    const seen = `${name} gives its ${ladder.weights.size} endpoints ${shares.join(', ')}${ladder.weights.size > 4 ? ' …' : ''}`;
    yield {
      finding: makeFinding('K8N302', { ...parts(), what: seen, found: [placeOf(chain, ladder.steps[0] as number)] }),
      about,
    };
  }
}

/**
 * Endpoints with a share of zero, or, where that counts, only for returning clients. Those after a rule that always
 * matches are reported as such.
 */
function idleTargets(
  { weights, dead }: Ladder,
  rules: readonly Rule[],
  countsReturning: () => boolean,
): readonly string[] {
  const targetAt = (at: number) => endpointChains(rules.slice(at, at + 1))[0];
  const behind = new Set(dead.map(targetAt));
  return [...new Set(endpointChains(rules))].filter((target) => {
    const weight = weights.get(target);
    return weight === undefined ? countsReturning() : weight <= nothing && !behind.has(target);
  });
}

function endpointChains(rules: readonly Rule[]): readonly string[] {
  return rules.flatMap(({ target }) =>
    target?.kind === 'jump' && serviceChainKind(target.chain) === 'endpoint' ? [target.chain] : [],
  );
}

/** Less than one of the 2³¹ values that the kernel compares. */
const nothing = 1e-10;

function isUneven(ladder: Ladder): boolean {
  const fair = 1 / ladder.weights.size;
  for (const weight of ladder.weights.values()) if (Math.abs(weight - fair) > tolerance) return true;
  return false;
}

function sameAddress(ladder: Ladder, nat: RuleTable, set: ToolRules): string | undefined {
  const seen = new Set<string>();
  for (const target of ladder.weights.keys()) {
    const address = endpointOf(nat.chains.get(target), set.family);
    if (address === undefined) continue;
    if (seen.has(address)) return address;
    seen.add(address);
  }
  return undefined;
}

function* hairpin(nat: RuleTable, chain: RuleChain, set: ToolRules): Iterable<DumpFinding> {
  if (usualEndpoint(chain.text) !== undefined) return;
  if (!chain.text.includes('DNAT')) {
    yield* translatesNothing(nat, chain, set);
    return;
  }
  const rules = readRules(chain, set.family);
  const dnat = rules.findIndex(({ target }) => target?.kind === 'dnat');
  if (dnat === -1) return;
  const to = endpointOf(chain, set.family) as string;
  const ip = readIpPort(to)?.ip ?? to;
  const mark = rules.findIndex((rule) => isMarkOf(rule, ip));
  if (mark !== -1 && mark < dnat) return;
  yield {
    finding: makeFinding('K8N403', {
      what: `${escapeText(chain.name)} does not mark what ${escapeText(ip)} sends to itself`,
      ...servedBy(chain, nat, set),
      found: [placeOf(chain, dnat)],
    }),
    about: { table: 'nat', chain: chain.name },
  };
}

/** Packets return from it and go on to the next endpoint, if there is one; none reach a leftover chain. */
function* translatesNothing(nat: RuleTable, chain: RuleChain, set: ToolRules): Iterable<DumpFinding> {
  if (!hasLines(chain) || !isUsed(nat, chain.name)) return;
  const seen = `${escapeText(chain.name)} has no rule that translates: its endpoint gets nothing`;
  const finding = makeFinding('K8N204', {
    what: seen,
    ...servedBy(chain, nat, set),
    found: chainPlace(chain),
  });
  yield { finding, about: { table: 'nat', chain: chain.name } };
}

function servedBy(chain: RuleChain, nat: RuleTable, { family }: ToolRules): { readonly service?: string } {
  const service = servicePortServed(undefined, chain, nat, family);
  return service === '' ? {} : { service };
}

function isMarkOf(rule: Rule, ip: string): boolean {
  if (rule.target?.kind !== 'jump' || rule.target.chain !== 'KUBE-MARK-MASQ') return false;
  return rule.words.every(
    (word) =>
      word.kind !== 'source' || (!word.negated && (hostOfCidr(word.address) === ip || isHostName(word.address))),
  );
}

/** `iptables -L` without -n prints names for hosts that it can resolve. */
function isHostName(address: string): boolean {
  return /[a-z]/i.test(address) && !address.includes(':');
}
