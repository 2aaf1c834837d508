import type { RejectChain } from '../../../dialect/iptables/iptablesDialect.ts';
import type { Word } from '../../../netfilter/iptables/ast.ts';
import { jumpTo } from '../../../netfilter/iptables/print/builders.ts';
import type { Route } from '../../../plan/plan.ts';
import { detectorMatch } from '../../detectorMatch.ts';
import { markForMasquerade } from '../builders.ts';
import type { RuleSink } from '../ruleSink.ts';
import type { ServiceLayout } from '../serviceLayout.ts';

/** One nat rule, marking for masquerading in the version's way. */
export function masquerade(layout: ServiceLayout, sink: RuleSink, chain: string, words: readonly Word[]): void {
  sink.rule('nat', { chain, words, target: markForMasquerade(layout.dialect) });
}

/**
 * The filter rule for an address without endpoints: REJECT if there is none anywhere, DROP if a Local policy finds none
 * on this node (since 1.25; before, nat marks such packets for dropping).
 */
export function refuse(
  layout: ServiceLayout,
  sink: RuleSink,
  chain: RejectChain,
  hasUsableEndpoints: boolean,
  words: (text: string) => readonly Word[],
): void {
  const { plan, dialect } = layout;
  if (!plan.hasEndpoints) {
    if (chain === 'none') return;
    sink.rule('filter', { chain, words: words(`${plan.displayName} has no endpoints`), target: { kind: 'reject' } });
  } else if (!hasUsableEndpoints && dialect.noLocalEndpoints === 'filter drop' && chain !== 'none') {
    sink.rule('filter', { chain, words: words(`${plan.displayName} has no local endpoints`), target: jumpTo('DROP') });
  }
}

/** The rules that mark the traffic of a route for masquerading, as far as the route requires it. */
export function masqueradeRoute(
  layout: ServiceLayout,
  sink: RuleSink,
  chain: string,
  { masquerade: which }: Route,
  words: readonly Word[],
): void {
  const { localDetector } = layout.node;
  if (which === 'always') masquerade(layout, sink, chain, words);
  if (which === 'offCluster' && localDetector !== undefined) {
    masquerade(layout, sink, chain, [...words, detectorMatch(localDetector, true)]);
  }
}
