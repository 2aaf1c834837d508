import type { Branch, Condition } from '../../netfilter/meaning.ts';
import { commands } from '../../problems/catalogue/commands.ts';
import { nftServiceName } from '../../seen/names/nftServiceName.ts';
import type { CatalogChain } from '../../trace/known/ruleCatalog.ts';
import type { WalkEvent } from '../../walk/flow.ts';
import { isOfProxy } from '../../walk/input/isOfProxy.ts';
import { isSameChain } from '../../walk/input/isSameChain.ts';
import type { WalkChain, WalkRule } from '../../walk/input/walkInput.ts';
import { endText } from '../../walk/values/text.ts';
import type { CauseDraft } from '../cause.ts';
import { evidenceOf, ruleEvidence } from '../evidence.ts';
import { fixes } from '../fixes.ts';
import type { WhyQuestion } from '../whyQuestion.ts';

/**
 * A rule took the packet out of a chain before the rule that leads to an endpoint, or out of the tracking that NAT
 * needs.
 */
export function diverted(events: readonly WalkEvent[], question: WhyQuestion): CauseDraft | undefined {
  const untracked = events.find(({ action, rule }) => action === 'notrack' && rule !== undefined);
  if (untracked !== undefined) return withoutTracking(untracked, question);
  const stops = stopsOf(events).filter(({ event }) => !leadsToService(event, question));
  if (stops.length === 0 || question.entrances.length === 0) return undefined;
  const leadsOn = wayTo(question);
  for (const { event, skipped } of stops.reverse()) {
    const missed = skipped.flatMap(({ chain, at }) => rulesBehind(chain, at)).find(leadsOn);
    if (missed !== undefined) return divertedBy(event, missed, question);
  }
  return undefined;
}

/** nftables mode: what the node's Pods send goes on to the Service's other chain, whether or not that leads to an endpoint. */
function leadsToService({ target }: WalkEvent, { entrances }: WhyQuestion): boolean {
  const led = target === undefined ? undefined : nftServiceName(target);
  return led !== undefined && entrances.some(({ service }) => service === led);
}

/**
 * If the node's addresses are unknown, the rule may be for a program that listens on this address. No program has all
 * addresses of a network.
 */
function withoutTracking(event: WalkEvent, question: WhyQuestion): CauseDraft | undefined {
  const { entrances, name, input, result } = question;
  const missed = entrances.find(({ rule, chain }) => chain !== '' && rule !== undefined)?.rule;
  if (missed === undefined) return undefined;
  const { table, name: chain } = event.chain;
  const isNetworks = event.rule?.steps.some((step) => step.kind === 'ask' && isOfNetwork(step.condition)) === true;
  if (input.topology.assumed.has('interfaces') && !isNetworks) {
    const address = endText(result.packet.destination, undefined);
    return {
      code: 'somebody-in-front',
      what: `A rule in ${table.name} ${chain} exempts the packet from connection tracking, so the rules for ${name} cannot translate it. A program of the node that listens on ${address} itself, as NodeLocal DNSCache does, would answer. Whether the node has that address was not given.`,
      evidence: [...evidenceOf(event), ruleEvidence(missed)],
      fix: 'Give the addresses of the node: `--addresses FILE` with `ip -d addr show`.',
      isUnknown: true,
    };
  }
  return {
    code: 'somebody-in-front',
    what: `A rule in ${table.name} ${chain} comes first: it exempts the packet from connection tracking, so the rules for ${name} cannot translate it.`,
    evidence: [...evidenceOf(event), ruleEvidence(missed)],
    fix: fixes.otherProgram,
  };
}

function isOfNetwork(condition: Condition): boolean {
  if (condition.kind !== 'values' || condition.field !== 'destination') return false;
  return condition.isOutside === true || condition.ranges.some(({ first, last }) => first !== last);
}

function divertedBy(event: WalkEvent, missed: WalkRule, { name }: WhyQuestion): CauseDraft {
  const { verdict, chain, target = '' } = event;
  const does = { return: 'ends this chain for the packet', accept: 'accepts the packet' } as const;
  const said = verdict === 'return' || verdict === 'accept' ? does[verdict] : `sends the packet to ${target} for good`;
  return {
    code: 'somebody-in-front',
    what: `A rule in ${chain.table.name} ${chain.name} comes first: it ${said}, before the rule that leads to ${name}.`,
    evidence: [...evidenceOf(event), ruleEvidence(missed)],
    fix: isOfProxy(chain)
      ? `Compare the rules with the manifests (\`k8snet diff\`). ${commands.restart}`
      : fixes.otherProgram,
  };
}

interface Place {
  readonly chain: WalkChain;
  /** The number of the last rule that was met. */
  readonly at: number;
}

/** A rule that ended a packet's way through chains, and where it left them. */
interface Stop {
  readonly event: WalkEvent;
  readonly skipped: readonly Place[];
}

/** What ended a chain early, in a chain that translates destinations. */
function stopsOf(events: readonly WalkEvent[]): Stop[] {
  const stops: Stop[] = [];
  let open: Place[] = [];
  for (const event of events) {
    const { chain, rule, verdict, action, hook } = event;
    if (rule === undefined || (hook !== 'prerouting' && hook !== 'output')) continue;
    const known = open.findIndex((place) => place.chain === chain);
    if (known >= 0) open = open.slice(0, known);
    else if (chain.base !== undefined) open = [];
    open.push({ chain, at: rule.number });
    if (verdict === 'return' || verdict === 'goto') stops.push({ event, skipped: open.slice(-1) });
    if (verdict === 'accept' && action === undefined) stops.push({ event, skipped: [...open].reverse() });
  }
  return stops;
}

function rulesBehind(chain: WalkChain, at: number): readonly WalkRule[] {
  return chain.rules().filter(({ number }) => number > at);
}

/** Recognizes the rules that lead a packet to an endpoint of the requested Service. */
function wayTo({ entrances, catalog }: WhyQuestion): (rule: WalkRule) => boolean {
  const chainOf = (chain: WalkChain) => catalog.chains.find((one) => isSameChain(one.chain, chain));
  const own = new Map<string, readonly WalkChain[]>();
  const above: WalkChain[] = [];
  const isEntrance = new Set<string>();
  for (const { rule, chain } of entrances) {
    const called = rule?.chain.table.chains.get(chain);
    if (rule === undefined || called === undefined) continue;
    const below = withEndpoints(called, chainOf);
    if (below.length === 0) continue;
    isEntrance.add(placed(rule));
    own.set(chain, below);
    addAbove(rule.chain, above, chainOf);
  }
  const within = [...own.values()].flat();
  return (rule) => {
    if (isEntrance.has(placed(rule))) return true;
    const isOwn = within.some((one) => isSameChain(one, rule.chain));
    if (isOwn && rule.steps.some((step) => step.kind === 'nat' && step.half === 'destination')) return true;
    const led = isOwn ? within : above;
    return targetsOf(rule).some((target) => led.some((one) => one.name === target && one.table === rule.chain.table));
  };
}

function placed({ chain, number }: WalkRule): string {
  return [chain.table.backend, chain.table.family, chain.table.name, chain.name, number].join(' ');
}

function targetsOf({ steps }: WalkRule): readonly string[] {
  return steps.flatMap((step) => {
    if (step.kind === 'jump' || step.kind === 'goto') return step.chain;
    if (step.kind !== 'verdictMap' || typeof step.map === 'string') return [];
    return step.map.flatMap(({ value }: { readonly value: Branch }) => (value.kind === 'verdict' ? [] : value.chain));
  });
}

type ChainOf = (chain: WalkChain) => CatalogChain | undefined;

/** The chain and those that it leads to, without parts that lead to no endpoint. */
function withEndpoints(chain: WalkChain, chainOf: ChainOf, seen = new Set<WalkChain>()): readonly WalkChain[] {
  if (seen.has(chain)) return [];
  seen.add(chain);
  const { targets = [], leadsTo = [] } = chainOf(chain) ?? {};
  const below = leadsTo.flatMap((name) => {
    const called = chain.table.chains.get(name);
    return called === undefined ? [] : withEndpoints(called, chainOf, seen);
  });
  return targets.length > 0 || below.length > 0 ? [chain, ...below] : [];
}

/** The chain, and those from which rules lead to it. */
function addAbove(chain: WalkChain, above: WalkChain[], chainOf: ChainOf): void {
  if (above.includes(chain)) return;
  above.push(chain);
  for (const caller of chainOf(chain)?.callers ?? []) addAbove(caller.chain, above, chainOf);
}
