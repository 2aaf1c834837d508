import type { NftElement, Verdict } from '../../netfilter/nft/ast.ts';
import type { NftCommand } from '../../netfilter/nft/command.ts';
import type { Route, ServicePlan, SharedNodePlan } from '../../plan/plan.ts';
import { chains, sets } from './chainNames.ts';
import { emitFirewallChain, emitFirewallElements, hasFirewall } from './firewall.ts';
import { emitRejectedLocalPort } from './localNodePorts.ts';
import type { PolicyNames } from './names.ts';
import type { ProxyTable } from './table.ts';

/** The ways to a service port: its addresses and its node port, each with the chain it goes to. */
export function* emitAddresses(
  table: ProxyTable,
  node: SharedNodePlan,
  plan: ServicePlan,
  names: PolicyNames,
): Generator<NftCommand> {
  yield* emitClusterIP(table, plan, names);
  yield* emitExternalIPs(table, plan, names);
  yield* emitFirewallChain(table, plan, names);
  yield* emitLoadBalancerIPs(table, plan, names);
  yield* emitNodePort(table, node, plan, names);
}

function* emitClusterIP(table: ProxyTable, plan: ServicePlan, names: PolicyNames): Generator<NftCommand> {
  const { clusterIP } = plan.port;
  if (table.dialect.checksClusterIPs) {
    yield* table.addElement(sets.clusterIPs, { key: [clusterIP] });
  }
  if (plan.internal.kind === 'balance') {
    const chain = plan.internal.over === 'local' ? names.local : names.service;
    yield* table.addElement(sets.serviceIPs, addressElement(plan, clusterIP, { kind: 'goto', chain }));
  } else {
    yield* table.addElement(sets.noEndpointServices, refusedElement(plan, clusterIP, plan.internal));
  }
}

/** If there are endpoints but the policy allows none, an address is in both maps: the filter drops before NAT. */
function* emitExternalIPs(table: ProxyTable, plan: ServicePlan, names: PolicyNames): Generator<NftCommand> {
  for (const ip of plan.externalIPs) {
    yield* emitExternalElement(table, plan, names, ip);
    if (plan.externalIP.kind !== 'balance') {
      yield* table.addElement(sets.noEndpointServices, refusedElement(plan, ip, plan.externalIP));
    }
  }
}

function* emitLoadBalancerIPs(table: ProxyTable, plan: ServicePlan, names: PolicyNames): Generator<NftCommand> {
  for (const ip of plan.loadBalancerIPs) {
    yield* emitExternalElement(table, plan, names, ip);
    if (hasFirewall(plan)) {
      yield* emitFirewallElements(table, plan, names, ip);
    }
  }
  if (plan.external.kind !== 'balance') {
    for (const ip of plan.loadBalancerIPs) {
      yield* table.addElement(sets.noEndpointServices, refusedElement(plan, ip, plan.external));
    }
  }
}

function* emitExternalElement(
  table: ProxyTable,
  plan: ServicePlan,
  names: PolicyNames,
  ip: string,
): Generator<NftCommand> {
  if (plan.hasEndpoints) {
    yield* table.addElement(sets.serviceIPs, addressElement(plan, ip, { kind: 'goto', chain: names.external }));
  }
}

function* emitNodePort(
  table: ProxyTable,
  node: SharedNodePlan,
  plan: ServicePlan,
  names: PolicyNames,
): Generator<NftCommand> {
  if (plan.port.nodePort === 0) {
    return;
  }
  yield* emitRejectedLocalPort(table, node, plan);
  const key = [plan.protocol, String(plan.port.nodePort)];
  if (plan.hasEndpoints) {
    yield* table.addElement(sets.serviceNodePorts, { key, verdict: { kind: 'goto', chain: names.external } });
  }
  if (plan.external.kind !== 'balance') {
    const verdict = refusal(plan.external);
    yield* table.addElement(sets.noEndpointNodePorts, { key, comment: plan.displayName, verdict });
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
