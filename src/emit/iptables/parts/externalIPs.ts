import type { Word } from '../../../netfilter/iptables/ast.ts';
import { addressType, isNotFromBridge, jumpTo } from '../../../netfilter/iptables/print/builders.ts';
import { toAddress } from '../builders.ts';
import type { RuleSink } from '../ruleSink.ts';
import type { ServiceLayout } from '../serviceLayout.ts';
import { masqueradeRoute, refuse } from './addressRules.ts';

/** Traffic to spec.externalIPs. */
export function externalIPs(layout: ServiceLayout, sink: RuleSink): void {
  const { plan, dialect } = layout;
  for (const ip of plan.externalIPs) {
    const words = (text = `${plan.displayName} external IP`) =>
      toAddress(text, plan.protocol, layout.address(ip), plan.port.port);
    if (layout.writesNat) writeNat(layout, sink, words());
    refuse(layout, sink, dialect.rejectExternalIP, plan.externalIP.kind === 'balance', words);
  }
}

function writeNat(layout: ServiceLayout, sink: RuleSink, words: readonly Word[]): void {
  const { plan, dialect } = layout;
  const { over } = plan.externalIP;
  const target = jumpTo(over === 'local' || dialect.external === 'ext' ? layout.externalTarget : layout.svc.name);
  const rule = (further: readonly Word[]) =>
    sink.rule('nat', { chain: 'KUBE-SERVICES', words: [...words, ...further], target });
  if (dialect.externalIP === 'single') {
    if (dialect.external !== 'ext') {
      const chain = dialect.clusterMasquerade === 'svc' ? layout.svc.name : 'KUBE-SERVICES';
      masqueradeRoute(layout, sink, chain, plan.externalIP, words);
    }
    rule([]);
    return;
  }
  masqueradeRoute(layout, sink, 'KUBE-SERVICES', plan.externalIP, words);
  // Only what does not come over a bridge (Pods) and not from the node itself, or what is for a local address: Pods
  // must not be caught by an external IP that belongs to somebody else (through 1.20).
  rule([isNotFromBridge, addressType('src-type', true)]);
  rule([addressType('dst-type')]);
}
