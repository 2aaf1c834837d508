import type { Evidence } from '../diagnostics/problem.ts';
import { commands } from '../problems/catalogue/commands.ts';
import type { CauseDraft } from './cause.ts';
import { fixes } from './fixes.ts';
import type { WhyQuestion } from './whyQuestion.ts';

/** By the rules nobody answers: the Service has no endpoints, or none here and a traffic policy Local. */
export function lackingEndpoint(
  lack: 'local' | 'any',
  evidence: readonly Evidence[],
  question: WhyQuestion,
): CauseDraft {
  const { name } = question;
  const code = lack === 'local' ? 'no-local-endpoint' : 'no-endpoints';
  if (isLackStale(lack, question)) {
    const where = lack === 'local' ? ' on this node' : '';
    return {
      code,
      what: `By the objects ${name} has an endpoint${where} that is ready; by the rules it has none: kube-proxy does not know the endpoint, or its rules are stale.`,
      evidence,
      fix: `${commands.readLog} ${commands.restart}`,
    };
  }
  if (lack === 'local') {
    return {
      code,
      what: `${name} has a traffic policy Local, and no endpoint is on this node.`,
      evidence,
      fix: fixes.otherNode,
    };
  }
  return {
    code,
    what: `${name} has no endpoints: its Pods are not ready, its selector matches none, or its EndpointSlices are for other ports.`,
    evidence,
    fix: fixes.endpoints,
  };
}

/** The objects show an endpoint that the rules do not know. */
export function isLackStale(lack: 'local' | 'any', { known }: WhyQuestion): boolean {
  return known.destination?.isServed?.(lack) === true;
}
