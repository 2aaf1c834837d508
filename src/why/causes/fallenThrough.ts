import { lackOfEndpoint } from '../../netfilter/lackOfEndpoint.ts';
import { isEndpointChain } from '../../netfilter/proxyChains.ts';
import { commands } from '../../problems/catalogue/commands.ts';
import type { WalkEvent } from '../../walk/flow.ts';
import { isSameChain } from '../../walk/input/isSameChain.ts';
import type { WalkChain, WalkRule } from '../../walk/input/walkInput.ts';
import type { CauseDraft } from '../cause.ts';
import { fact, ruleEvidence } from '../evidence.ts';
import { isChainOfService } from '../isChainOfService.ts';
import { lackingEndpoint } from '../lackingEndpoint.ts';
import { markedToDrop } from '../markedToDrop.ts';
import { asksSources, sourceNotAllowed } from '../sourceNotAllowed.ts';
import type { WhyQuestion } from '../whyQuestion.ts';
import { passedByIpvs } from './passedByIpvs.ts';
import { unaskedMap } from './unaskedMap.ts';

/** Rules for the destination exist, but the packet passed them without being translated. */
export function fallenThrough(events: readonly WalkEvent[], question: WhyQuestion): CauseDraft | undefined {
  const { entrances } = question;
  const rules = entrances.flatMap(({ rule }) => rule ?? []);
  const unled = rules.find(({ chain }) => isUnvisited(chain, events));
  if (unled !== undefined && rules.every(({ chain }) => isUnvisited(chain, events))) {
    return unserved(question) ?? hookMissing(unled.chain, events, question);
  }
  return withoutTranslation(events, question) ?? passedByIpvs(events, question) ?? unaskedMap(question);
}

/**
 * All that rules would do with the packet is to refuse it. kube-proxy has such rules for external addresses where packets come
 * in and are forwarded, and none for those of the node itself, which go on to somebody outside.
 */
function unserved(question: WhyQuestion): CauseDraft | undefined {
  const { entrances } = question;
  const lacks = entrances.map(({ chain, rule }) =>
    chain === '' && rule !== undefined ? lackOfEndpoint(rule.chain.name, rule.comment ?? '', false) : undefined,
  );
  if (lacks.length === 0 || lacks.includes(undefined)) return undefined;
  const lack = lacks.every((one) => one === 'local') ? 'local' : 'any';
  return lackingEndpoint(
    lack,
    entrances.flatMap(({ rule }) => (rule === undefined ? [] : [ruleEvidence(rule)])),
    question,
  );
}

function isUnvisited(chain: WalkChain, events: readonly WalkEvent[]): boolean {
  return !events.some((event) => isSameChain(event.chain, chain));
}

/** The chain has rules for the packet, and nothing leads it there, or to the chains that would. */
function hookMissing(unled: WalkChain, events: readonly WalkEvent[], question: WhyQuestion): CauseDraft {
  const { catalog, name, known } = question;
  const callersOf = (of: WalkChain) => catalog.chains.find((each) => each.chain === of)?.callers ?? [];
  let chain = unled;
  let callers = callersOf(chain);
  const seen = new Set([chain]);
  for (;;) {
    const above = callers
      .map((rule) => rule.chain)
      .find((each) => each.base === undefined && isUnvisited(each, events));
    if (above === undefined || seen.has(above)) break;
    seen.add(above);
    chain = above;
    callers = callersOf(chain);
  }
  const names = [...new Set(callers.map((rule) => rule.chain.name))];
  const mayBeClosed = names.length === 0 && chain.name === 'KUBE-NODEPORTS';
  return {
    code: 'hooks-missing',
    what: `${chain.name} has rules for ${name}, but no rule leads this packet there.`,
    evidence: [fact(`${chain.name} is called by ${names.length === 0 ? 'no rule' : names.join(', ')}`)],
    fix: `${mayBeClosed ? closedOnPurpose : ''}${commands.restart} Then find the program that removed its jumps, or decides before them.`,
    ...(mayBeClosed && !known.hasObjects && { isUnknown: true }),
  };
}

const closedOnPurpose =
  'Node ports are closed on purpose where kube-proxy’s setting nodePortAddresses names no address of the node: `kubectl -n kube-system get configmap kube-proxy -o yaml`. Otherwise: ';

/** The last chain of the Service that the packet was sent to: it is missing, empty, or translates nothing. */
function withoutTranslation(events: readonly WalkEvent[], question: WhyQuestion): CauseDraft | undefined {
  const { entrances, name } = question;
  const own = new Set(entrances.map(({ chain }) => chain));
  const sent = events.findLast(({ target }) => target !== undefined && (own.has(target) || isChainOfService(target)));
  const [rule, target] = [sent?.rule, sent?.target];
  if (rule === undefined || target === undefined) return undefined;
  const marked = markedToDrop(events, question);
  if (marked !== undefined) return marked;
  if (asksSources(target, rule.chain)) return sourceNotAllowed([ruleEvidence(rule)], question);
  const what = isEndpointChain(target) ? `the chain of an endpoint of ${name}` : `the chain of ${name}`;
  const state = chainState(rule, target);
  return {
    code: 'no-endpoints',
    what: `${target}, ${what}, ${state}: the packet falls through${state === 'is not there' ? '' : ' it'}.`,
    evidence: [ruleEvidence(rule)],
    fix: `${commands.restart} If the chains stay so, look at the endpoints: ${commands.showEndpoints}.`,
  };
}

function chainState(from: WalkRule, target: string): string {
  const rules = from.chain.table.chains.get(target)?.rules();
  if (rules === undefined) return 'is not there';
  return rules.length === 0 ? 'has no rules and leads to no endpoint' : 'leads to no endpoint';
}
