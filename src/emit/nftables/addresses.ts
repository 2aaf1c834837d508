import type { NftElement, Statement, Verdict } from '../../netfilter/nft/ast.ts';
import type { NftCommand } from '../../netfilter/nft/command.ts';
import type { Route, ServicePlan } from '../../plan/plan.ts';
import { chains, sets } from './chainNames.ts';
import type { ServiceNames } from './names.ts';
import type { ProxyTable } from './table.ts';

export type PolicyNames = Omit<ServiceNames, 'endpoints'>;

/** What leads to a service port: its addresses and its node port, each with the chain it goes to. */
export function* emitAddresses(table: ProxyTable, plan: ServicePlan, names: PolicyNames): Generator<NftCommand> {
  yield* emitClusterIP(table, plan, names);
  yield* emitExternalIPs(table, plan, names);
  yield* emitLoadBalancerIPs(table, plan, names);
  yield* emitNodePort(table, plan, names);
}

function* emitClusterIP(table: ProxyTable, plan: ServicePlan, names: PolicyNames): Generator<NftCommand> {
  const { clusterIP } = plan.port;
  yield table.addElement(sets.clusterIPs, { key: [clusterIP] });
  if (plan.internal.kind === 'balance') {
    const chain = plan.internal.over === 'local' ? names.local : names.service;
    yield table.addElement(sets.serviceIPs, addressElement(plan, clusterIP, { kind: 'goto', chain }));
  } else {
    yield table.addElement(sets.noEndpointServices, refusedElement(plan, clusterIP, plan.internal));
  }
}

/** With endpoints elsewhere but none that the policy allows, an address is in both maps: the filter drops before NAT. */
function* emitExternalIPs(table: ProxyTable, plan: ServicePlan, names: PolicyNames): Generator<NftCommand> {
  for (const ip of plan.externalIPs) {
    if (plan.hasEndpoints) {
      yield table.addElement(sets.serviceIPs, addressElement(plan, ip, { kind: 'goto', chain: names.external }));
    }
    if (plan.external.kind !== 'balance') {
      yield table.addElement(sets.noEndpointServices, refusedElement(plan, ip, plan.external));
    }
  }
}

/** Source ranges work even without endpoints, unlike in iptables mode. */
function* emitLoadBalancerIPs(table: ProxyTable, plan: ServicePlan, names: PolicyNames): Generator<NftCommand> {
  const hasFirewall = plan.loadBalancerIPs.length > 0 && plan.sourceRanges.length > 0;
  if (hasFirewall) {
    yield* table.ensureChain(names.firewall);
    // The node's own traffic to its load balancer can arrive with the balancer's address as its source.
    const allowed = plan.rangesAllowNode ? [...plan.sourceRanges, ...plan.loadBalancerIPs] : plan.sourceRanges;
    const notAllowed: Statement = {
      kind: 'match',
      left: table.source,
      operator: '!=',
      right: { kind: 'anonymousSet', elements: allowed.map((range) => [range]) },
    };
    yield table.addRule(names.firewall, [notAllowed, { kind: 'verdict', verdict: { kind: 'drop' } }]);
  }
  for (const ip of plan.loadBalancerIPs) {
    if (plan.hasEndpoints) {
      yield table.addElement(sets.serviceIPs, addressElement(plan, ip, { kind: 'goto', chain: names.external }));
    }
    if (hasFirewall) {
      const element = addressElement(plan, ip, { kind: 'goto', chain: names.firewall });
      yield table.addElement(sets.firewallIPs, { ...element, comment: plan.displayName });
    }
  }
  if (plan.external.kind !== 'balance') {
    for (const ip of plan.loadBalancerIPs) {
      yield table.addElement(sets.noEndpointServices, refusedElement(plan, ip, plan.external));
    }
  }
}

function* emitNodePort(table: ProxyTable, plan: ServicePlan, names: PolicyNames): Generator<NftCommand> {
  if (plan.port.nodePort === 0) {
    return;
  }
  const key = [plan.protocol, String(plan.port.nodePort)];
  if (plan.hasEndpoints) {
    yield table.addElement(sets.serviceNodePorts, { key, verdict: { kind: 'goto', chain: names.external } });
  }
  if (plan.external.kind !== 'balance') {
    const verdict = refusal(plan.external);
    yield table.addElement(sets.noEndpointNodePorts, { key, comment: plan.displayName, verdict });
  }
}

function addressElement(plan: ServicePlan, ip: string, verdict: Verdict): NftElement {
  return { key: [ip, plan.protocol, String(plan.port.port)], verdict };
}

function refusedElement(plan: ServicePlan, ip: string, route: Route): NftElement {
  return { ...addressElement(plan, ip, refusal(route)), comment: plan.displayName };
}

function refusal(route: Route): Verdict {
  return route.kind === 'reject' ? { kind: 'goto', chain: chains.reject } : { kind: 'drop' };
}
