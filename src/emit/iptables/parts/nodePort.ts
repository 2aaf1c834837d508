import type { Word } from '../../../netfilter/iptables/ast.ts';
import { addressType, bareComment, comment, jumpTo, toPort } from '../../../netfilter/iptables/builders.ts';
import type { RuleSink } from '../ruleSink.ts';
import type { ServiceFacts } from '../serviceFacts.ts';
import { masquerade, masqueradeRoute, refuse } from './addressRules.ts';

/** Traffic to the node port. KUBE-NODEPORTS is entered only for addresses on which node ports are open. */
export function nodePort(facts: ServiceFacts, sink: RuleSink): void {
  const { plan, dialect } = facts;
  const port = plan.port.nodePort;
  if (port === 0) return;
  if (facts.writesNat) {
    const words = [bareComment(plan.displayName), ...toPort(plan.protocol, port)];
    if (dialect.external !== 'ext') masqueradeNodePort(facts, sink, words);
    if (facts.countsLocalhost) {
      sink.rule('nat', {
        chain: 'KUBE-NODEPORTS',
        words: [
          ...words,
          { kind: 'destination', address: '127.0.0.0/8' },
          { kind: 'nfacct', name: 'localhost_nps_accepted_pkts' },
        ],
        target: jumpTo(facts.externalTarget),
      });
    }
    sink.rule('nat', { chain: 'KUBE-NODEPORTS', words, target: jumpTo(facts.externalTarget) });
  }
  refuse(facts, sink, dialect.rejectNodePort, plan.hasExternalEndpoints, (text) => [
    comment(text),
    addressType('dst-type'),
    ...toPort(plan.protocol, port),
  ]);
}

/** Through 1.23: all traffic to the node port, or with policy Local what comes from the node's own loopback. */
function masqueradeNodePort(facts: ServiceFacts, sink: RuleSink, words: readonly Word[]): void {
  const { plan, dialect, node } = facts;
  const chain = dialect.clusterMasquerade === 'svc' ? facts.svc.name : 'KUBE-NODEPORTS';
  masqueradeRoute(facts, sink, chain, plan.external, words);
  if (plan.masqueradesLoopback) {
    const loopback = node.family === 'ipv4' ? '127.0.0.0/8' : '::1/128';
    masquerade(facts, sink, 'KUBE-NODEPORTS', [...words, { kind: 'source', address: loopback }]);
  }
}
