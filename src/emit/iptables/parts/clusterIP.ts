import type { Word } from '../../../netfilter/iptables/ast.ts';
import { jumpTo } from '../../../netfilter/iptables/print/builders.ts';
import { detectorMatch } from '../../detectorMatch.ts';
import { toAddress } from '../builders.ts';
import type { RuleSink } from '../ruleSink.ts';
import type { ServiceLayout } from '../serviceLayout.ts';
import { masquerade, masqueradeRoute, refuse } from './addressRules.ts';

/**
 * Traffic to the cluster IP: masqueraded here through 1.23, then sent to the Service's chain; or rejected (since 1.10).
 */
export function clusterIP(layout: ServiceLayout, sink: RuleSink): void {
  const { plan, dialect } = layout;
  const jumps =
    layout.writesNat &&
    (plan.internal.kind === 'balance' || !plan.hasEndpoints || dialect.noLocalEndpoints === 'mark drop');
  if (jumps) {
    if (dialect.clusterMasquerade !== 'part') masqueradeClusterIP(layout, sink);
    sink.rule('nat', { chain: 'KUBE-SERVICES', words: clusterIPWords(layout), target: jumpTo(layout.internalTarget) });
  }
  if (!dialect.keepsNatWithoutEndpoints) clusterIPReject(layout, sink);
}

/** Through 1.9 the rejection comes after the rules of all other addresses. */
export function clusterIPReject(layout: ServiceLayout, sink: RuleSink): void {
  const { plan, dialect } = layout;
  refuse(layout, sink, dialect.rejectClusterIP, plan.internal.kind === 'balance', (text) =>
    clusterIPWords(layout, text),
  );
}

/** Since 1.24 a separate part: the first rules of the chain for cluster-IP traffic. */
export function svcMasquerade(layout: ServiceLayout, sink: RuleSink): void {
  const { plan, dialect } = layout;
  if (plan.internal.kind === 'balance' || (plan.hasEndpoints && dialect.noLocalEndpoints === 'mark drop')) {
    masqueradeClusterIP(layout, sink);
  }
}

function masqueradeClusterIP(layout: ServiceLayout, sink: RuleSink): void {
  const { plan, node, dialect } = layout;
  const chain = masqueradeChain(layout);
  const words = clusterIPWords(layout);
  masqueradeRoute(layout, sink, chain, plan.internal, words);
  if (plan.internal.masquerade === 'always' && dialect.repeatsMasquerade && node.localDetector !== undefined) {
    masquerade(layout, sink, chain, [...words, detectorMatch(node.localDetector, true)]);
  }
}

function masqueradeChain(layout: ServiceLayout): string {
  switch (layout.dialect.clusterMasquerade) {
    case 'services':
      return 'KUBE-SERVICES';
    case 'svc':
      return layout.svc.name;
    case 'part':
      return layout.internalTarget;
  }
}

function clusterIPWords(layout: ServiceLayout, text = `${layout.plan.displayName} cluster IP`): Word[] {
  const { plan } = layout;
  return toAddress(text, plan.protocol, layout.address(plan.port.clusterIP), plan.port.port);
}
