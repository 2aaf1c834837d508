import { fillFix } from '../findings/fillFix.ts';
import type { BesideRules } from '../trace/known/besideRules.ts';
import { arrives, type TracedOutcome, type TraceResult } from '../trace/traceResult.ts';
import type { WalkInput } from '../walk/input/walkInput.ts';
import { type Fraction, fraction, one, plus } from '../walk/values/fraction.ts';
import { type Cause, type CauseDraft, type WhyCauseCode, whyCauseCodes } from './cause.ts';
import { causeOf } from './causeOf.ts';
import { answeredBy } from './causes/answeredBy.ts';
import { notTheRules } from './causes/notTheRules.ts';
import { otherPolicies } from './causes/otherPolicies.ts';
import { someWaysOnly } from './causes/someWaysOnly.ts';
import { stoppedByPolicies } from './causes/stoppedByPolicies.ts';
import { strangerFirst } from './causes/strangerFirst.ts';
import { unwalked } from './causes/unwalked.ts';
import { fromOtherNode } from './causes/way/fromOtherNode.ts';
import { fromOutside } from './causes/way/fromOutside.ts';
import { withoutProxy } from './causes/withoutProxy.ts';
import { type WhyQuestion, whyQuestion } from './whyQuestion.ts';

/** The fate of a packet and its reply, over all ways that chance leaves open: one answer for `trace` and `why`. */
export interface Why {
  /**
   * `arrives`: on every way, and the reply comes back. `fails`: on some way that is taken, for a visible reason.
   * `unknown`: the deciding fact was not given, or only assumed.
   */
  readonly verdict: 'arrives' | 'fails' | 'unknown';
  /** The share of connections that fail; undefined: unknown. */
  readonly failing: Fraction | undefined;
  /** Whether `verdict` is `arrives`. */
  readonly isReachable: boolean;
  readonly causes: readonly Cause[];
  /** If it does not certainly fail: what answers instead of the apparent owner of the address, in a sentence. */
  readonly answeredBy?: string;
}

/** Checks the causes in their order; for a packet that arrives and is answered, only the last one remains. */
export function whyCauses(result: TraceResult, input: WalkInput, known: BesideRules = {}): Why {
  const question = whyQuestion(result, input, known);
  const absence = withoutProxy(question);
  if (absence !== undefined) return onlyCause(filled(absence, question), result);
  const found = new Map<WhyCauseCode, Cause>();
  const failing: number[] = [];
  const open: number[] = [];
  const drafts = result.outcomes.map((outcome) => draftOf(outcome, question));
  const areAllFailing = drafts.every((draft) => draft !== undefined && !draft.isUnknown);
  for (const [at, draft] of drafts.entries()) {
    if (draft === undefined) continue;
    // What depends on a condition with an unknown answer may never happen.
    const isOpen = draft.isUnknown || (result.outcomes[at]?.share === undefined && !areAllFailing);
    (isOpen ? open : failing).push(at);
    const before = found.get(draft.code);
    const said = isOpen && !draft.isUnknown ? conditional(draft, result) : draft;
    found.set(draft.code, whole(before ?? said, [...(before?.outcomes ?? []), at]));
  }
  // If no rule recognizes Pods, nothing from outside is masqueraded: the missing route back is what counts.
  const tellsPods = (known.podRanges ?? []).length > 0;
  const outside = !tellsPods && [...found.keys()].every((id) => id === 'way-back') ? fromOutside(question) : undefined;
  if (outside !== undefined) found.delete('way-back');
  const further =
    failing.length === result.outcomes.length
      ? outside
      : (unwalked(question) ?? otherPolicies(question) ?? outside ?? fromOutside(question) ?? fromOtherNode(question));
  if (further !== undefined && !found.has(further.code)) found.set(further.code, whole(further, all(result)));
  if (further !== undefined) (further.isUnknown ? open : failing).push(...all(result));
  const stranger = strangerFirst(question);
  if (stranger !== undefined && !found.has(stranger.code)) found.set(stranger.code, whole(stranger, stranger.outcomes));
  if (failing.length > 0 && failing.length < result.outcomes.length) {
    found.set('some-ways-only', whole(someWaysOnly(result, failing), failing));
  }
  const verdict = failing.length > 0 ? 'fails' : open.length > 0 ? 'unknown' : 'arrives';
  // If rules certainly stop the packet, nothing after them matters.
  if (verdict !== 'fails') {
    const fine = result.outcomes.flatMap(({ first }, at) => (arrives(first.end) ? [at] : []));
    found.set('not-the-rules', whole(notTheRules(result, failing, input), fine));
  }
  const causes = [...found.values()]
    .map((cause) => filled(cause, question))
    .sort((a, b) => Number(isOpen(a)) - Number(isOpen(b)) || a.order - b.order);
  const by = verdict === 'fails' ? undefined : answeredBy(question);
  return {
    verdict,
    failing: shareOf(result, new Set(failing)),
    isReachable: verdict === 'arrives',
    causes,
    ...(by !== undefined && { answeredBy: by }),
  };

  function isOpen(cause: Cause): boolean {
    return verdict === 'fails' && cause.isUnknown === true;
  }
}

/** What is certain goes first: the answer may be lost where it is unknown whether policies let the packet pass. */
function draftOf(outcome: TracedOutcome, question: WhyQuestion): CauseDraft | undefined {
  const stopped = stoppedByPolicies(outcome, question);
  if (stopped !== undefined && !stopped.isUnknown) return stopped;
  const cause = causeOf(outcome, question);
  return cause !== undefined && !cause.isUnknown ? cause : (stopped ?? cause);
}

/** With the known names. The rules are searched for the Service only if a command names it. */
function filled<Draft extends CauseDraft>(draft: Draft, question: WhyQuestion): Draft {
  const service = /\bNAME\b/.test(draft.fix) ? serviceOf(question) : undefined;
  return { ...draft, fix: fillFix(draft.fix, { ...question.known.names, ...(service !== undefined && { service }) }) };
}

/** According to the objects, otherwise the rules if all of them agree. */
function serviceOf({ known, entrances, allEntrances, result }: WhyQuestion): string | undefined {
  if (known.destination !== undefined) return known.destination.service;
  const { destination } = result.packet;
  const own = entrances.length > 0 ? entrances : allEntrances.filter(({ address }) => address === destination);
  const names = new Set(own.flatMap(({ service }) => service?.replace(/:.*/, '') ?? []));
  return names.size === 1 ? [...names][0] : undefined;
}

/** It happens if a condition holds whose answer is unknown. */
function conditional(draft: CauseDraft, { notes }: TraceResult): CauseDraft {
  const [condition] = notes.unknown.values();
  const { rule, text = 'a condition' } = condition ?? {};
  const place = rule === undefined ? '' : ` (${rule.chain.table.name} ${rule.chain.name} #${rule.number})`;
  const sentence = `It depends on ${text}${place}, which cannot be answered from here. If that decides against the packet: ${draft.what}`;
  return { ...draft, what: sentence, isUnknown: true };
}

function onlyCause(draft: CauseDraft, result: TraceResult): Why {
  const verdict = draft.isUnknown ? 'unknown' : 'fails';
  return { verdict, failing: one, isReachable: false, causes: [whole(draft, all(result))] };
}

function all({ outcomes }: TraceResult): readonly number[] {
  return outcomes.map((_, at) => at);
}

function shareOf({ outcomes }: TraceResult, failing: ReadonlySet<number>): Fraction | undefined {
  if (failing.size === outcomes.length && failing.size > 0) return one;
  let sum: Fraction | undefined = fraction(0, 1);
  for (const at of failing) {
    const share = outcomes[at]?.share;
    sum = sum && share && plus(sum, share);
  }
  return sum;
}

function whole(draft: CauseDraft, outcomes: readonly number[]): Cause {
  const { code, what, evidence, fix, isUnknown } = draft;
  return { code, order: whyCauseCodes.indexOf(code), what, evidence, fix, ...(isUnknown && { isUnknown }), outcomes };
}
