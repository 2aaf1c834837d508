import { isOfProxy } from '../../walk/input/isOfProxy.ts';
import { trailItems } from '../../walk/values/trail.ts';
import type { CauseDraft } from '../cause.ts';
import { evidenceOf } from '../evidence.ts';
import { fixes } from '../fixes.ts';
import type { WhyQuestion } from '../whyQuestion.ts';
import { hostPortMet } from './hostPort.ts';

/** Another program translates the packet before kube-proxy does: it may still arrive, but elsewhere. */
export function strangerFirst(
  question: WhyQuestion,
): (CauseDraft & { readonly outcomes: readonly number[] }) | undefined {
  const { outcomes } = question.result;
  for (const outcome of outcomes) {
    const { first } = outcome;
    const translated = trailItems(first.flow.path).find(({ action }) => /^(?:dnat|redirect)\b/.test(action ?? ''));
    if (translated === undefined || isOfProxy(translated.chain)) continue;
    const { chain, rule, action = '' } = translated;
    const hostPort = hostPortMet(outcome, question);
    // Nothing else has the port: it works as intended.
    if (hostPort !== undefined && question.entrances.length === 0) continue;
    const what =
      hostPort === undefined
        ? `a rule of another program in ${chain.table.name} ${chain.name} sends it to ${action.replace(/^\w+ /, '')}`
        : `it leads to ${hostPort}, and not to ${serviceOf(question)}`;
    return {
      code: 'somebody-in-front',
      what: question.entrances.length > 0 ? `Another rule comes first: ${what}.` : `A${what.slice(1)}.`,
      evidence: evidenceOf(translated),
      fix:
        hostPort === undefined
          ? fixes.otherProgram
          : 'Nothing to do where that Pod belongs to the Service, as k3s’ svclb does (`kubectl -n kube-system get pods -o wide | grep svclb`); else change one of the ports.',
      outcomes: outcomes.flatMap((one, at) =>
        trailItems(one.first.flow.path).some((event) => event.rule === rule) ? [at] : [],
      ),
    };
  }
  return undefined;
}

function serviceOf({ entrances, name }: WhyQuestion): string {
  const service = entrances.find((one) => one.service !== undefined && one.comment !== undefined)?.service;
  return service === undefined ? `the Service at ${name}` : `Service ${service}`;
}
