import { loopbackRange } from '../../../common/addresses/wholeRange.ts';
import type { Word } from '../../../netfilter/iptables/ast.ts';
import { addressType, bareComment, comment, jumpTo, toPort } from '../../../netfilter/iptables/print/builders.ts';
import type { RuleSink } from '../ruleSink.ts';
import type { ServiceLayout } from '../serviceLayout.ts';
import { masquerade, masqueradeRoute, refuse } from './addressRules.ts';

/** Traffic to the node port. KUBE-NODEPORTS is entered only for addresses on which node ports are open. */
export function nodePort(layout: ServiceLayout, sink: RuleSink): void {
  const { plan, dialect } = layout;
  const port = plan.port.nodePort;
  if (port === 0) return;
  if (layout.writesNat) {
    const words = [bareComment(plan.displayName), ...toPort(plan.protocol, port)];
    if (dialect.external !== 'ext') masqueradeNodePort(layout, sink, words);
    if (layout.countsLocalhost) {
      sink.rule('nat', {
        chain: 'KUBE-NODEPORTS',
        words: [
          ...words,
          { kind: 'destination', address: '127.0.0.0/8' },
          { kind: 'nfacct', name: 'localhost_nps_accepted_pkts' },
        ],
        target: jumpTo(layout.externalTarget),
      });
    }
    sink.rule('nat', { chain: 'KUBE-NODEPORTS', words, target: jumpTo(layout.externalTarget) });
  }
  refuse(layout, sink, dialect.rejectNodePort, plan.external.kind === 'balance', (text) => [
    comment(text),
    addressType('dst-type'),
    ...toPort(plan.protocol, port),
  ]);
}

/** Through 1.23: all traffic to the node port, or with policy Local what comes from the node's own loopback. */
function masqueradeNodePort(layout: ServiceLayout, sink: RuleSink, words: readonly Word[]): void {
  const { plan, dialect, node } = layout;
  const chain = dialect.clusterMasquerade === 'svc' ? layout.svc.name : 'KUBE-NODEPORTS';
  masqueradeRoute(layout, sink, chain, plan.external, words);
  if (plan.masqueradesLoopback) {
    const loopback = loopbackRange(node.family);
    masquerade(layout, sink, 'KUBE-NODEPORTS', [...words, { kind: 'source', address: loopback }]);
  }
}
