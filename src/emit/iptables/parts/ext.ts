import { addressType, comment, jumpTo } from '../../../netfilter/iptables/print/builders.ts';
import { detectorMatch } from '../../detectorMatch.ts';
import type { RuleSink } from '../ruleSink.ts';
import type { ServiceLayout } from '../serviceLayout.ts';
import { masquerade, masqueradeRoute } from './addressRules.ts';

/** KUBE-EXT (since 1.24): what all external addresses have in common, before the policy's endpoints are chosen. */
export function ext(layout: ServiceLayout, sink: RuleSink): void {
  const { plan, dialect } = layout;
  if (!layout.ext.isUsed) return;
  const chain = layout.ext.name;
  const destinations = `${plan.displayName} external destinations`;
  masqueradeRoute(layout, sink, chain, plan.external, [comment(`masquerade traffic for ${destinations}`)]);
  const { localDetector } = layout.node;
  if (plan.shortCircuits.pods && localDetector !== undefined) {
    const words = [comment(`pod traffic for ${destinations}`), detectorMatch(localDetector, false)];
    sink.rule('nat', { chain, words, target: jumpTo(layout.svc.name) });
  }
  if (plan.shortCircuits.node) {
    const local = addressType('src-type');
    masquerade(layout, sink, chain, [comment(`masquerade LOCAL traffic for ${destinations}`), local]);
    const words = [comment(`route LOCAL traffic for ${destinations}`), local];
    sink.rule('nat', { chain, words, target: jumpTo(layout.svc.name) });
  }
  if (plan.external.kind === 'balance' || dialect.noLocalEndpoints === 'mark drop') {
    sink.rule('nat', { chain, words: [], target: jumpTo(layout.externalPolicyChain) });
  }
}
