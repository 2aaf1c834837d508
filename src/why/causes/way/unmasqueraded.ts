import { isKubeName } from '../../../netfilter/proxyChains.ts';
import { commands } from '../../../problems/catalogue/commands.ts';
import type { TracedOutcome } from '../../../trace/traceResult.ts';
import { isTranslated } from '../../../walk/ask/isTranslated.ts';
import { isOfProxy } from '../../../walk/input/isOfProxy.ts';
import { sharedWalkChains } from '../../../walk/input/walkChains.ts';
import type { WalkChain } from '../../../walk/input/walkInput.ts';
import { trailItems } from '../../../walk/values/trail.ts';
import type { CauseDraft } from '../../cause.ts';
import { evidenceOf } from '../../evidence.ts';

/** kube-proxy marked the packet for masquerading, and no rule of POSTROUTING did it (K8N410). */
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
  const met = events.flatMap(({ chain, hook }) => (hook === 'postrouting' && isOfProxy(chain) ? chain : []));
  const chain = met.findLast(({ base }) => base === undefined) ?? met[0];
  // If another program's rule comes before kube-proxy's chain, that is another cause.
  if (chain === undefined && isLedToProxy(marked.chain)) return undefined;
  const lack =
    chain === undefined
      ? 'no rule of POSTROUTING leads to KUBE-POSTROUTING, which does it'
      : `${chain.name} does not do it`;
  return {
    code: 'way-back',
    what: `kube-proxy marks the packet to be masqueraded, and ${lack}: the endpoint answers the client directly, which drops the answer (${chain === undefined ? 'K8N207' : 'K8N410'}).`,
    evidence: evidenceOf(marked),
    fix: commands.restart,
  };
}

/**
 * A rule after routing leads to a chain of kube-proxy, whether or not the packet reached that rule; or it may, unseen.
 */
function isLedToProxy({ table }: WalkChain): boolean {
  const behind = [...sharedWalkChains(table.chains)].filter(({ base }) => base?.hook === 'postrouting');
  if (behind.length === 0) return true;
  return behind.some((chain) =>
    chain
      .rules()
      .some(({ steps }) =>
        steps.some((step) => (step.kind === 'jump' || step.kind === 'goto') && isKubeName(step.chain)),
      ),
  );
}
