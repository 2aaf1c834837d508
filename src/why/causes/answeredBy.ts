import { arrives } from '../../trace/traceResult.ts';
import type { WhyQuestion } from '../whyQuestion.ts';
import { asksDnsCache } from './dnsCache.ts';
import { hostPortMet, listeningPod } from './hostPort.ts';

/** What answers a packet that arrives, if it is not the apparent Service or address; undefined: it is. */
export function answeredBy(question: WhyQuestion): string | undefined {
  const { result, name } = question;
  const [first, ...more] = result.outcomes;
  if (first === undefined || more.length > 0 || !arrives(first.first.end)) return undefined;
  const isDelivered = first.first.end.kind === 'delivered';
  if (isDelivered && asksDnsCache(question)) {
    return `NodeLocal DNSCache of this node answers at ${name}: its rules exempt that address from connection tracking, so no rule of kube-proxy translates it.`;
  }
  // If a Service has the port too, that is a cause.
  const met = question.entrances.length > 0 ? undefined : hostPortMet(first, question);
  if (met !== undefined) return `It goes to ${met}.`;
  const listening = isDelivered ? listeningPod(question) : undefined;
  return listening && `${listening}.`;
}
