import { trailItems } from '../../walk/trail.ts';
import type { CauseDraft } from './cause.ts';
import { evidenceOf } from './evidence.ts';
import { fixes } from './fixes.ts';
import { isOfProxy } from './isOfProxy.ts';
import type { WhyQuestion } from './whyQuestion.ts';

/** Another program translates the packet, before kube-proxy does: it may arrive all the same, elsewhere. */
export function strangerFirst(
  question: WhyQuestion,
): (CauseDraft & { readonly outcomes: readonly number[] }) | undefined {
  const { outcomes } = question.result;
  for (const { first } of outcomes) {
    const translated = trailItems(first.flow.path).find(({ action }) => /^(?:dnat|redirect)\b/.test(action ?? ''));
    if (translated === undefined || isOfProxy(translated.chain)) continue;
    const { chain, rule, action = '' } = translated;
    const what = `rule of another program in ${chain.table.name} ${chain.name} sends it to ${action.replace(/^\w+ /, '')}.`;
    return {
      id: 'somebody-in-front',
      sentence: question.entrances.length > 0 ? `Another rule comes first: a ${what}` : `A ${what}`,
      evidence: evidenceOf(translated),
      fix: fixes.otherProgram,
      outcomes: outcomes.flatMap((outcome, at) =>
        trailItems(outcome.first.flow.path).some((event) => event.rule === rule) ? [at] : [],
      ),
    };
  }
  return undefined;
}
