import { commands } from '../../findings/catalogue/commands.ts';
import { isTranslated } from '../../walk/isTranslated.ts';
import { trailItems } from '../../walk/trail.ts';
import type { TracedOutcome } from '../traceResult.ts';
import type { CauseDraft } from './cause.ts';
import { evidenceOf } from './evidence.ts';
import { isOfProxy } from './isOfProxy.ts';

/** kube-proxy marked the packet to be masqueraded, and no rule of POSTROUTING did it (K8N410). */
export function unmasqueraded({ first: { flow } }: TracedOutcome): CauseDraft | undefined {
  if (isTranslated(flow.connection, 'source')) return undefined;
  const events = trailItems(flow.path);
  const marked = events.find(
    ({ chain, action, hook }) =>
      isOfProxy(chain) &&
      action?.startsWith('mark ') &&
      (hook === 'prerouting' || hook === 'output' || hook === 'input'),
  );
  if (marked === undefined) return undefined;
  const [chain] = events.flatMap(({ chain: one, hook }) => (hook === 'postrouting' && isOfProxy(one) ? one : []));
  // Another program's rule that comes before kube-proxy's chain is another cause.
  if (chain === undefined) return undefined;
  return {
    id: 'way-back',
    sentence: `kube-proxy marks the packet to be masqueraded, and ${chain.name} does not do it: the endpoint answers the client directly, which drops the answer (K8N410).`,
    evidence: evidenceOf(marked),
    fix: commands.restart,
  };
}
