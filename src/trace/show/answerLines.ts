import { arrives, type TracedOutcome } from '../traceResult.ts';
import type { TraceAnswer } from './traceAnswer.ts';

/** The first sentence of `why`, if the ways alone would look fine, or certain. */
export function answerLines(answer: TraceAnswer | undefined, outcomes: readonly TracedOutcome[]): readonly string[] {
  if (answer === undefined) return [];
  const { verdict, answeredBy, isWithoutProxy } = answer;
  const answering = answeredBy === undefined ? [] : [answeredBy];
  if (verdict === 'arrives') return answering;
  const isSeen = verdict === 'fails' && outcomes.some(({ first }) => !arrives(first.end));
  const sentence = isSeen && !isWithoutProxy ? undefined : answer.headline;
  return sentence === undefined ? answering : [...answering, sentence];
}
