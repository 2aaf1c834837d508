import { lackOfEndpoint } from '../netfilter/lackOfEndpoint.ts';
import type { WalkEvent } from '../walk/flow.ts';
import type { CauseDraft } from './cause.ts';
import { ruleEvidence } from './evidence.ts';
import { lackingEndpoint } from './lackingEndpoint.ts';
import { holdsRanges, sourceNotAllowed } from './sourceNotAllowed.ts';
import type { WhyQuestion } from './whyQuestion.ts';

/**
 * Through 1.24 kube-proxy only marks packets that a Service does not admit: the kubelet's KUBE-FIREWALL drops those to the
 * node and from it, and the others go on as they are.
 */
export function markedToDrop(events: readonly WalkEvent[], question: WhyQuestion): CauseDraft | undefined {
  // What comes back from the chain of a policy Local is marked once more behind it.
  const rule = events.find(({ target }) => target === 'KUBE-MARK-DROP')?.rule;
  if (rule === undefined) return undefined;
  const evidence = [ruleEvidence(rule)];
  if (holdsRanges(rule.chain)) return sourceNotAllowed(evidence, question);
  const lack = lackOfEndpoint(rule.chain.name, rule.comment ?? '', true);
  return lack && lackingEndpoint(lack, evidence, question);
}
