import type { Endpoint } from '../../../model/endpoint.ts';
import type { Word } from '../../../netfilter/iptables/ast.ts';
import { bareComment } from '../../../netfilter/iptables/builders.ts';
import type { RuleSink } from '../ruleSink.ts';
import { endpointChain, type ServiceFacts } from '../serviceFacts.ts';
import { masquerade } from './addressRules.ts';
import { affinityEndpoints, balanceRule, stickyRules, svcComment } from './balance.ts';

/** KUBE-SEP of every endpoint that can be reached. */
export function sep(facts: ServiceFacts, sink: RuleSink): void {
  for (const endpoint of facts.plan.reachable) endpointRules(facts, sink, endpoint);
}

/** Through 1.21: affinity of all endpoints, then for each its rule in KUBE-SVC and its own chain. */
export function endpointsInterleaved(facts: ServiceFacts, sink: RuleSink): void {
  if (!facts.svc.isUsed) return;
  const { cluster } = facts.plan;
  stickyRules(facts, sink, facts.svc.name, affinityEndpoints(facts), svcComment(facts));
  for (const [index, endpoint] of cluster.entries()) {
    balanceRule(facts, sink, facts.svc.name, cluster, index, svcComment(facts));
    endpointRules(facts, sink, endpoint);
  }
}

/** An endpoint that calls itself needs a foreign source to get its answer (hairpin); then the DNAT. */
function endpointRules(facts: ServiceFacts, sink: RuleSink, endpoint: Endpoint): void {
  const chain = endpointChain(facts, endpoint);
  const { protocol } = facts.plan;
  const hasComment = facts.dialect.endpointComment === 'servicePort' && !facts.dropsComments;
  const first: readonly Word[] = hasComment ? [bareComment(facts.plan.displayName)] : [];

  masquerade(facts, sink, chain, [...first, { kind: 'source', address: facts.address(endpoint.ip) }]);
  const words: Word[] = [...first];
  if (facts.plan.affinitySeconds !== undefined) words.push({ kind: 'recent', action: 'set', name: chain });
  words.push({ kind: 'transport', protocol }, { kind: 'protocol', protocol });
  sink.rule('nat', { chain, words, target: { kind: 'dnat', to: endpoint.address } });
}
