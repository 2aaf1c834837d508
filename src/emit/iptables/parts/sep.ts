import type { Endpoint } from '../../../model/endpoint.ts';
import type { Word } from '../../../netfilter/iptables/ast.ts';
import { bareComment } from '../../../netfilter/iptables/builders.ts';
import type { RuleSink } from '../ruleSink.ts';
import { endpointChain, type ServiceLayout } from '../serviceLayout.ts';
import { masquerade } from './addressRules.ts';
import { affinityEndpoints, balanceRule, stickyRules, svcComment } from './balance.ts';

/** KUBE-SEP of every endpoint that can be reached. */
export function sep(layout: ServiceLayout, sink: RuleSink): void {
  for (const endpoint of layout.plan.reachable) endpointRules(layout, sink, endpoint);
}

/** Through 1.21: affinity of all endpoints, then for each its rule in KUBE-SVC and its own chain. */
export function endpointsInterleaved(layout: ServiceLayout, sink: RuleSink): void {
  if (!layout.svc.isUsed) return;
  const { cluster } = layout.plan;
  stickyRules(layout, sink, layout.svc.name, affinityEndpoints(layout), svcComment(layout));
  for (const [index, endpoint] of cluster.entries()) {
    balanceRule(layout, sink, layout.svc.name, cluster, index, svcComment(layout));
    endpointRules(layout, sink, endpoint);
  }
}

/** An endpoint that calls itself needs a foreign source to get its answer (hairpin); then the DNAT. */
function endpointRules(layout: ServiceLayout, sink: RuleSink, endpoint: Endpoint): void {
  const chain = endpointChain(layout, endpoint);
  const { protocol } = layout.plan;
  const hasComment = layout.dialect.endpointComment === 'servicePort' && !layout.dropsComments;
  const first: readonly Word[] = hasComment ? [bareComment(layout.plan.displayName)] : [];

  masquerade(layout, sink, chain, [...first, { kind: 'source', address: layout.address(endpoint.ip) }]);
  const words: Word[] = [...first];
  if (layout.plan.affinitySeconds !== undefined) words.push({ kind: 'recent', action: 'set', name: chain });
  words.push({ kind: 'transport', protocol }, { kind: 'protocol', protocol });
  sink.rule('nat', { chain, words, target: { kind: 'dnat', to: endpoint.address } });
}
