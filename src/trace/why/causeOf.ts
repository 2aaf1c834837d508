import { isTranslated } from '../../walk/isTranslated.ts';
import { trailItems } from '../../walk/trail.ts';
import type { TracedOutcome } from '../traceResult.ts';
import type { CauseDraft } from './cause.ts';
import { diverted } from './diverted.ts';
import { evidenceOf } from './evidence.ts';
import { overBridge } from './overBridge.ts';
import { stale } from './stale.ts';
import { staleEndpoint } from './staleEndpoint.ts';
import { stopped } from './stopped.ts';
import { toItself } from './toItself.ts';
import { unroutable } from './unroutable.ts';
import { untranslated } from './untranslated.ts';
import { wayBack } from './wayBack.ts';
import type { WhyQuestion } from './whyQuestion.ts';
import { withoutSet } from './withoutSet.ts';

/** Why one outcome fails; undefined: it does not. */
export function causeOf(outcome: TracedOutcome, question: WhyQuestion): CauseDraft | undefined {
  const cause = knownCause(outcome, question);
  return cause && outcome.share === undefined ? (withoutSet(question) ?? cause) : cause;
}

function knownCause(outcome: TracedOutcome, question: WhyQuestion): CauseDraft | undefined {
  const { flow, end } = outcome.first;
  const events = trailItems(flow.path);
  const isDone = isTranslated(flow.connection, 'destination') || flow.isOfIpvs === true;
  switch (end.kind) {
    case 'dropped':
    case 'rejected':
      return (isDone ? undefined : diverted(events, question)) ?? stopped(outcome, events, question);
    case 'unroutable':
      return (isDone ? undefined : diverted(events, question)) ?? unroutable(end.why, events, question);
    case 'unknown':
      return {
        id: 'somebody-in-front',
        sentence: `What happens to the packet is unknown: ${end.why}.`,
        evidence: evidenceOf(events.at(-1)),
        fix: 'Look at the rule named, and at the program that wrote it.',
        isUnknown: true,
      };
    default: {
      const missed = isDone ? undefined : untranslated(outcome, events, question);
      if (missed !== undefined) return missed;
      if (flow.connection.isKnown && isDone) return stale(outcome, question);
      return (
        staleEndpoint(outcome, isDone, question) ??
        toItself(outcome, question) ??
        (isDone ? overBridge(outcome, question) : undefined) ??
        wayBack(outcome, isDone, question.input)
      );
    }
  }
}
