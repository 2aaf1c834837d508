import { addressType, bareComment, comment, jumpTo, toPort } from '../../../netfilter/iptables/builders.ts';
import type { RuleSink } from '../ruleSink.ts';
import type { ServiceFacts } from '../serviceFacts.ts';
import { masquerade, refuse } from './addressRules.ts';

/** Traffic to the node port. KUBE-NODEPORTS is entered only for addresses on which node ports are open. */
export function nodePort(facts: ServiceFacts, sink: RuleSink): void {
  const { plan, dialect, node } = facts;
  const port = plan.port.nodePort;
  if (port === 0) return;
  if (facts.writesNat) {
    const words = [bareComment(plan.displayName), ...toPort(plan.protocol, port)];
    if (dialect.external !== 'ext') masqueradeNodePort(facts, sink);
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

  function masqueradeNodePort(of: ServiceFacts, to: RuleSink): void {
    const words = [bareComment(plan.displayName), ...toPort(plan.protocol, port)];
    if (!of.xlb.isUsed) {
      const chain = dialect.clusterMasquerade === 'svc' ? of.svc.name : 'KUBE-NODEPORTS';
      masquerade(of, to, chain, words);
    } else if (dialect.masqueradesLoopbackNodePort) {
      const loopback = node.family === 'ipv4' ? '127.0.0.0/8' : '::1/128';
      masquerade(of, to, 'KUBE-NODEPORTS', [...words, { kind: 'source', address: loopback }]);
    }
  }
}
