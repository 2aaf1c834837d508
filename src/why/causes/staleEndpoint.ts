import { commands } from '../../problems/catalogue/commands.ts';
import { flowDestination } from '../../trace/show/flowDestination.ts';
import type { TracedOutcome } from '../../trace/traceResult.ts';
import { trailItems } from '../../walk/values/trail.ts';
import type { CauseDraft } from '../cause.ts';
import { evidenceOf } from '../evidence.ts';
import type { WhyQuestion } from '../whyQuestion.ts';

/** The rules send it to an address that is not among the endpoints of the Service in the objects. */
export function staleEndpoint(
  { first: { flow } }: TracedOutcome,
  isDone: boolean,
  { known }: WhyQuestion,
): CauseDraft | undefined {
  const { service, endpoints: ofService, isWithoutAddress } = known.destination ?? {};
  const endpoints = ofService?.();
  if (!isDone || endpoints === undefined || (endpoints.size === 0 && isWithoutAddress !== true)) return undefined;
  const to = flowDestination(flow);
  if (endpoints.has(to)) return undefined;
  const translated = trailItems(flow.path).find(({ action }) => action?.startsWith('dnat '));
  return {
    code: 'stale-endpoint',
    what: `The rules send it to ${to}, ${isWithoutAddress ? `and ${service} has no endpoints` : `which is not an endpoint of ${service}`}: nobody answers there, or somebody else does.`,
    evidence: evidenceOf(translated),
    fix: `${commands.restart} If the address stays, look for errors about the API server in its log.`,
  };
}
