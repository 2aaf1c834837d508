import { onlyValue } from '../../common/ranges/valueSet.ts';
import { type ServiceChainKind, serviceChainKind } from '../../netfilter/proxyChains.ts';
import { cached, type WalkContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import { type ChainIndex, indexChain, nextPlace } from '../input/chainIndex.ts';
import { chainRules } from '../input/chainRules.ts';
import type { WalkChain, WalkRule } from '../input/walkInput.ts';
import { followOutcome, type Left } from './followOutcome.ts';
import { type Frame, frameAt, type Work } from './frame.ts';
import { takeSteps } from './takeSteps.ts';
import { withEvent } from './withEvent.ts';

/** Walks a base chain: all ways that flows take through its rules and those that they lead to. */
export function walkBaseChain(chain: WalkChain, flow: Flow, context: WalkContext): readonly Left[] {
  const left: Left[] = [];
  // Processed from the end: matches come before the rest, so outcomes are in the order of the rules.
  const work: Work[] = [{ flow, frame: { chain, at: 0, back: undefined, above: undefined } }];
  let steps = 0;
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    steps += 1;
    const isOpen = item.flow.share === undefined && work.length + left.length > mostOpen;
    if (steps > mostSteps || isOpen || isTired(context)) {
      left.push({
        flow: item.flow,
        verdict: 'unknown',
        why: 'the rules divide the packet more often than can be followed',
      });
      continue;
    }
    advance(item, work, left, context);
  }
  return left;
}

function isTired({ work }: WalkContext): boolean {
  return work !== undefined && work.steps > mostStepsOfAll;
}

const mostSteps = 100_000;
const mostStepsOfAll = 2_000_000;
/** Ways after conditions with unknown answers: each such condition doubles them. */
const mostOpen = 256;

/** Continues until the flow leaves the base chain or splits. */
function advance(start: Work, work: Work[], left: Left[], context: WalkContext): void {
  let { flow, frame } = start;
  for (;;) {
    if (context.work !== undefined) context.work.steps += 1;
    const rules = chainRules(frame.chain, context);
    const at = nextRule(frame, rules, flow, context);
    const rule = rules[at];
    if (rule === undefined) {
      const cut = endNotShown(flow, frame);
      if (cut !== undefined) {
        left.push(cut);
        return;
      }
      const ended = atEnd(flow, frame);
      if (ended.frame === undefined) {
        left.push({ flow: ended.flow, verdict: frame.chain.base?.policy ?? 'accept' });
        return;
      }
      ({ flow, frame } = { flow: ended.flow, frame: ended.frame });
      continue;
    }
    const outcomes = takeSteps(flow, rule, 0, context);
    const [only] = outcomes;
    if (only !== undefined && outcomes.length === 1) {
      const next = followOutcome(only, rule, frameAt(frame, at + 1), left, context);
      if (next === undefined) return;
      ({ flow, frame } = next);
      continue;
    }
    const behind = frameAt(frame, at + 1);
    const further = outcomes.flatMap((outcome) => followOutcome(outcome, rule, behind, left, context) ?? []);
    for (const next of further.reverse()) work.push(next);
    return;
  }
}

function nextRule(frame: Frame, rules: readonly WalkRule[], flow: Flow, context: WalkContext): number {
  const index = cached<{ readonly index: ChainIndex | undefined }>(context, rules, () => ({
    index: indexChain(rules),
  })).index;
  const values = index && flow.packet[index.field];
  const value = values && onlyValue(values);
  return index === undefined || value === undefined ? frame.at : nextPlace(index, value, frame.at, rules.length);
}

/**
 * The last rule of a chain that leads to endpoints takes everything that is left. If a packet gets past it in a part of
 * a table, that rule is not shown. Where rules of a dump are lost, they may accept what a policy would drop.
 */
function endNotShown(flow: Flow, { chain }: Frame): Left | undefined {
  const { name, table, base } = chain;
  const mayBeAccepted = base?.isCutOff === true && base.policy === 'drop';
  if (!mayBeAccepted && (table.isPart === undefined || table.isWritten || !takesAll.has(serviceChainKind(name))))
    return undefined;
  const why = `it comes to the end of ${name}, which the dump does not show`;
  return {
    flow: withEvent(flow, chain, undefined, 'end'),
    verdict: 'unknown',
    why,
    unseen: { chain: name, isBegun: true },
  };
}

const takesAll: ReadonlySet<ServiceChainKind | undefined> = new Set(['balance', 'localBalance', 'endpoint'] as const);

/** The end of a chain: back to the caller, or the policy. */
function atEnd(flow: Flow, frame: Frame): { readonly flow: Flow; readonly frame: Frame | undefined } {
  const { chain, back } = frame;
  if (chain.base !== undefined) {
    return { flow: withEvent(flow, chain, undefined, 'policy', { policy: chain.base.policy }), frame: undefined };
  }
  return { flow: withEvent(flow, chain, undefined, 'end'), frame: back };
}
