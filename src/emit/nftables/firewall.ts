import type { NftCommand } from '../../netfilter/nft/command.ts';
import type { ServicePlan } from '../../plan/plan.ts';
import { chains, sets } from './chainNames.ts';
import type { PolicyNames } from './names.ts';
import { destinationPort, inSet, jump, l4proto, lookUp, type ProxyTable, verdict } from './table.ts';

const comment = 'destinations that are subject to LoadBalancerSourceRanges';

/** What the fixed chains do about source ranges of load balancers. */
export function* emitFirewallCheck(table: ProxyTable): Generator<NftCommand> {
  const type = [table.addressType, 'inet_proto', 'inet_service'];
  if (table.dialect.sourceRanges !== 'elements') {
    const map = { kind: 'map', name: sets.firewallIPs, type, valueType: ['verdict'], flags: [], comment } as const;
    yield table.addSet({ ...map, elements: [] });
    yield table.addRule(chains.firewallCheck, [lookUp(table.serviceKey, sets.firewallIPs)]);
    return;
  }
  yield table.addSet({ kind: 'set', name: sets.firewall, type, flags: [], comment, elements: [] });
  yield table.addSet({
    kind: 'set',
    name: sets.firewallAllow,
    type: [...type, table.addressType],
    flags: ['interval'],
    comment: 'destinations+sources that are allowed by LoadBalancerSourceRanges',
    elements: [],
  });
  yield* table.ensureChain(chains.firewallAllowCheck);
  yield table.addRule(chains.firewallCheck, [inSet(table.serviceKey, sets.firewall), jump(chains.firewallAllowCheck)]);
  const parts = [table.destination, l4proto, destinationPort, table.source];
  yield table.addRule(chains.firewallAllowCheck, [
    inSet({ kind: 'concat', parts }, sets.firewallAllow),
    verdict({ kind: 'return' }),
  ]);
  yield table.addRule(chains.firewallAllowCheck, [verdict({ kind: 'drop' })]);
}

/** Source ranges work even without endpoints, unlike in iptables mode. */
export function hasFirewall(plan: ServicePlan): boolean {
  return plan.loadBalancerIPs.length > 0 && plan.sourceRanges.length > 0;
}

/** The chain of a service port that drops traffic from elsewhere; its rule may come later. */
export function* emitFirewallChain(table: ProxyTable, plan: ServicePlan, names: PolicyNames): Generator<NftCommand> {
  if (hasFirewall(plan) && table.dialect.sourceRanges !== 'elements') {
    yield* table.ensureChain(names.firewall);
    if (table.dialect.sourceRanges === 'ruleAtChain') {
      yield* emitFirewallRule(table, plan, names);
    }
  }
}

export function* emitFirewallRule(table: ProxyTable, plan: ServicePlan, names: PolicyNames): Generator<NftCommand> {
  // The node's own traffic to its load balancer can arrive with the balancer's address as its source.
  const allowed = plan.rangesAllowNode ? [...plan.sourceRanges, ...plan.loadBalancerIPs] : plan.sourceRanges;
  const elements = allowed.map((range) => [range]);
  yield table.addRule(names.firewall, [
    { kind: 'match', left: table.source, operator: '!=', right: { kind: 'anonymousSet', elements } },
    verdict({ kind: 'drop' }),
  ]);
}

/** The way from one load-balancer address to its source ranges. */
export function* emitFirewallElements(
  table: ProxyTable,
  plan: ServicePlan,
  names: PolicyNames,
  ip: string,
): Generator<NftCommand> {
  const key = [ip, plan.protocol, String(plan.port.port)];
  const comment = plan.displayName;
  if (table.dialect.sourceRanges !== 'elements') {
    const element = { key, verdict: { kind: 'goto', chain: names.firewall } } as const;
    const isNamed = table.dialect.namesFirewallElements;
    yield* table.addElement(sets.firewallIPs, isNamed ? { ...element, comment } : element);
    return;
  }
  yield* table.addElement(sets.firewall, { key, comment });
  for (const range of plan.sourceRanges) {
    yield* table.addElement(sets.firewallAllow, { key: [...key, range], comment });
  }
  if (plan.rangesAllowNode) {
    yield* table.addElement(sets.firewallAllow, { key: [...key, ip] });
  }
}
