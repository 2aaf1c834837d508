import type { WalkInput } from '../../walk/walkInput.ts';
import { arrives, type TraceResult } from '../traceResult.ts';
import { type Cause, type CauseDraft, type CauseId, causeIds } from './cause.ts';
import { causeOf } from './causeOf.ts';
import { notTheRules } from './notTheRules.ts';
import { someWaysOnly } from './someWaysOnly.ts';
import { strangerFirst } from './strangerFirst.ts';
import { whyQuestion } from './whyQuestion.ts';

export interface Why {
  /** The packet arrives and its answer returns, in every outcome. */
  readonly isReachable: boolean;
  readonly causes: readonly Cause[];
}

/** Asks for the twelve causes in their order; of a packet that arrives and is answered only the last is left. */
export function whyCauses(result: TraceResult, input: WalkInput): Why {
  const question = whyQuestion(result, input);
  const found = new Map<CauseId, Cause>();
  const failing: number[] = [];
  for (const [at, outcome] of result.outcomes.entries()) {
    const draft = causeOf(outcome, question);
    if (draft === undefined) continue;
    failing.push(at);
    found.set(draft.id, whole(found.get(draft.id) ?? draft, [...(found.get(draft.id)?.outcomes ?? []), at]));
  }
  const stranger = strangerFirst(question);
  if (stranger !== undefined && !found.has(stranger.id)) found.set(stranger.id, whole(stranger, stranger.outcomes));
  if (failing.length > 0 && failing.length < result.outcomes.length) {
    found.set('some-ways-only', whole(someWaysOnly(result, failing), failing));
  }
  const fine = result.outcomes.flatMap(({ first }, at) => (arrives(first.end) ? [at] : []));
  found.set('not-the-rules', whole(notTheRules(result, failing, input), fine));
  return { isReachable: failing.length === 0, causes: [...found.values()].sort((a, b) => a.order - b.order) };
}

function whole({ id, sentence, evidence, fix }: CauseDraft, outcomes: readonly number[]): Cause {
  return { id, order: causeIds.indexOf(id) + 1, sentence, evidence, fix, outcomes };
}
