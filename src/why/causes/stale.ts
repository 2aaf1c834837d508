import { flowDestination } from '../../trace/show/flowDestination.ts';
import type { TracedOutcome } from '../../trace/traceResult.ts';
import { addressText } from '../../walk/values/text.ts';
import type { CauseDraft } from '../cause.ts';
import { fact } from '../evidence.ts';
import type { WhyQuestion } from '../whyQuestion.ts';

/** Connections that the node knows go where they went before. */
export function stale({ first: { flow } }: TracedOutcome, { catalog, result }: WhyQuestion): CauseDraft | undefined {
  const to = flowDestination(flow);
  if (catalog.chains.some(({ targets }) => targets.includes(to))) return undefined;
  return {
    code: 'state',
    what: `The node still tracks a connection to ${to}, which no rule has as an endpoint any more.`,
    evidence: [fact(`a tracked connection translates to ${to}`)],
    fix: `\`conntrack -D --orig-dst ${addressText(result.packet.destination)}\`, or wait until it times out (\`k8snet doctor --conntrack\` finds all of them).`,
  };
}
