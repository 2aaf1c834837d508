import type { TracedOutcome } from '../../../trace/traceResult.ts';
import type { WalkEvent } from '../../../walk/flow.ts';
import type { CauseDraft } from '../../cause.ts';
import { evidenceOf } from '../../evidence.ts';
import { lackingEndpoint } from '../../lackingEndpoint.ts';
import { policyLocalRule } from '../../policyLocalRule.ts';
import type { WhyQuestion } from '../../whyQuestion.ts';

/**
 * A virtual server of a Service with a traffic policy Local has the servers of other nodes where this one has none, so that
 * Pods reach it (IPVS mode, kubernetes#97081). Nothing masquerades what comes from outside to it.
 */
export function withoutLocalServer(
  { flow }: TracedOutcome['first'],
  events: readonly WalkEvent[],
  question: WhyQuestion,
): CauseDraft | undefined {
  const local = flow.isOfIpvs && policyLocalRule(events);
  return local && lackingEndpoint('local', evidenceOf(local), question);
}
