import type { Word } from '../../../netfilter/iptables/ast.ts';
import { comment, jumpTo } from '../../../netfilter/iptables/print/builders.ts';
import { toAddress } from '../builders.ts';
import type { RuleSink } from '../ruleSink.ts';
import type { ServiceLayout } from '../serviceLayout.ts';
import { masqueradeRoute, refuse } from './addressRules.ts';

/** Traffic to the load balancer's addresses, with the firewall's rules between them through 1.24. */
export function loadBalancerIPs(layout: ServiceLayout, sink: RuleSink): void {
  const { plan, dialect } = layout;
  for (const ip of plan.loadBalancerIPs) {
    if (!layout.writesNat) break;
    const words = addressWords(layout, ip);
    if (dialect.external === 'svc') masqueradeRoute(layout, sink, 'KUBE-SERVICES', plan.external, words);
    sink.rule('nat', { chain: 'KUBE-SERVICES', words, target: jumpTo(layout.loadBalancerTarget) });
    if (!layout.fw.isUsed) continue;
    if (dialect.filtersFirewall) {
      sink.rule('filter', {
        chain: 'KUBE-PROXY-FIREWALL',
        words: addressWords(layout, ip, `${plan.displayName} traffic not accepted by ${layout.fw.name}`),
        target: jumpTo('DROP'),
      });
    } else {
      firewallRules(layout, sink, [ip]);
    }
  }
  for (const ip of plan.loadBalancerIPs) {
    refuse(layout, sink, dialect.rejectLoadBalancerIP, plan.external.kind === 'balance', (text) =>
      addressWords(layout, ip, text),
    );
  }
}

/** Since 1.25 a separate part: KUBE-FW once, for all addresses of the load balancer. */
export function firewall(layout: ServiceLayout, sink: RuleSink): void {
  if (layout.fw.isUsed) firewallRules(layout, sink, layout.plan.loadBalancerIPs);
}

/** KUBE-FW admits the source ranges; it also admits `addresses` as sources if a range contains the node itself. */
function firewallRules(layout: ServiceLayout, sink: RuleSink, addresses: readonly string[]): void {
  const { plan, dialect, fw } = layout;
  const text = `${plan.displayName} loadbalancer IP`;
  const target = jumpTo(layout.externalTarget);
  const rule = (words: readonly Word[]) => sink.rule('nat', { chain: fw.name, words, target });

  if (dialect.external !== 'ext') masqueradeRoute(layout, sink, fw.name, plan.external, [comment(text)]);
  if (plan.sourceRanges.length === 0) rule([comment(text)]);
  for (const range of plan.sourceRanges) rule([comment(text), { kind: 'source', address: range }]);
  if (plan.rangesAllowNode) {
    // A packet that the node sends to the load balancer can have the load balancer's address as its source, if that
    // address is bound to the node.
    for (const ip of addresses) rule([comment(text), { kind: 'source', address: layout.address(ip) }]);
  }

  switch (dialect.firewallEnd) {
    case 'mark drop':
      sink.rule('nat', { chain: fw.name, words: [comment(text)], target: jumpTo('KUBE-MARK-DROP') });
      return;
    case 'nothing':
      return;
    case 'comment': {
      const dropped = `other traffic to ${plan.displayName} will be dropped by KUBE-PROXY-FIREWALL`;
      sink.rule('nat', { chain: fw.name, words: [comment(dropped)] });
    }
  }
}

function addressWords(layout: ServiceLayout, ip: string, text = `${layout.plan.displayName} loadbalancer IP`): Word[] {
  return toAddress(text, layout.plan.protocol, layout.address(ip), layout.plan.port.port);
}
