import { arrives, type TracedOutcome } from '../traceResult.ts';
import { flowDestination } from './flowDestination.ts';

/** Where a packet arrives, or how its way ends instead: `10.244.1.9:8080`, `dropped`, `not shown (KUBE-SEP-…)`. */
export function outcomeName({ first: { flow, end } }: TracedOutcome): string {
  if (end.kind === 'unknown' && end.unseen !== undefined) return `not shown (${end.unseen.chain})`;
  return arrives(end) ? flowDestination(flow) : end.kind;
}
