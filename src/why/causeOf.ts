import type { TracedOutcome } from '../trace/traceResult.ts';
import { isTranslated } from '../walk/ask/isTranslated.ts';
import { isOfProxy } from '../walk/input/isOfProxy.ts';
import { endText } from '../walk/values/text.ts';
import { trailItems } from '../walk/values/trail.ts';
import type { CauseDraft } from './cause.ts';
import { diverted } from './causes/diverted.ts';
import { notShown } from './causes/notShown.ts';
import { stale } from './causes/stale.ts';
import { staleEndpoint } from './causes/staleEndpoint.ts';
import { stopped } from './causes/stopped.ts';
import { untranslated } from './causes/untranslated.ts';
import { overBridge } from './causes/way/overBridge.ts';
import { toItself } from './causes/way/toItself.ts';
import { unmasqueradedPod } from './causes/way/unmasqueradedPod.ts';
import { unroutable } from './causes/way/unroutable.ts';
import { wayBack } from './causes/way/wayBack.ts';
import { withoutServers, withoutSet } from './causes/withoutListing.ts';
import { evidenceOf } from './evidence.ts';
import { fixes } from './fixes.ts';
import { mayBeOwn } from './mayBeOwn.ts';
import type { WhyQuestion } from './whyQuestion.ts';

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
      return (isDone ? undefined : diverted(events, question)) ?? forwarded(outcome, isDone, question);
    case 'unroutable':
      return (isDone ? undefined : diverted(events, question)) ?? unroutable(outcome, end.why, events, question);
    case 'unknown':
      if (end.unseen !== undefined) return notShown(question, evidenceOf(events.at(-1)));
      if (end.byIpvs) return withoutServers(question);
      return {
        code: 'somebody-in-front',
        what: `What happens to the packet is unknown: ${end.why}.`,
        evidence: evidenceOf(events.at(-1)),
        fix: fixes.namedRule,
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
        wayBack(outcome, isDone, question) ??
        (isDone ? undefined : unmasqueradedPod(outcome, question))
      );
    }
  }
}

/** Something that stops forwarded packets proves nothing about one that would be delivered to the node itself. */
function forwarded(outcome: TracedOutcome, isDone: boolean, question: WhyQuestion): CauseDraft {
  const events = trailItems(outcome.first.flow.path);
  const cause = stopped(outcome, events, question);
  const last = events.at(-1);
  // kube-proxy's rules name the address, and reject it at both hooks.
  const isProxys = last !== undefined && last.rule !== undefined && isOfProxy(last.chain);
  if (isDone || isProxys || last?.hook !== 'forward' || !mayBeOwn(question)) return cause;
  const address = endText(question.result.packet.destination, undefined);
  return {
    ...cause,
    what: `Whether ${address} is an address of this node was not given: it decides what happens to the packet. If it is not: ${cause.what}`,
    fix: 'Give the addresses of the node: `--addresses FILE` with `ip -d addr show`.',
    isUnknown: true,
  };
}
