import type { NftCommand } from '../../netfilter/nft/command.ts';
import type { ServicePlan, SharedNodePlan } from '../../plan/plan.ts';
import { emitAddresses } from './addresses.ts';
import { sets } from './chainNames.ts';
import { emitServiceClusterIPMark } from './clusterIPMark.ts';
import { emitEndpointChain, usesEndpointChains } from './endpointChain.ts';
import { emitExternalChain } from './externalChain.ts';
import { emitFirewallRule, hasFirewall } from './firewall.ts';
import { type ServiceNames, serviceNames } from './names.ts';
import { emitPolicyChain } from './policyChain.ts';
import type { ProxyTable } from './table.ts';

/**
 * Everything that one service port adds, in kube-proxy's order. It is a list because passing commands on one by one
 * costs more than making them; so are the parts that each endpoint has.
 */
export function emitServicePort(table: ProxyTable, node: SharedNodePlan, plan: ServicePlan): readonly NftCommand[] {
  const { dialect } = table;
  const names = serviceNames(plan);
  const commands: NftCommand[] = [];
  const add = (more: Iterable<NftCommand>) => {
    for (const command of more) commands.push(command);
  };
  add(emitChains(table, plan, names, usesEndpointChains(table, plan)));
  add(emitAddresses(table, node, plan, names));
  if (dialect.clusterIPMark !== 'services') {
    add(emitServiceClusterIPMark(table, node, plan, names));
  }
  if (hasExternalChain(plan)) {
    add(emitExternalChain(table, node, plan, names));
  }
  if (hasFirewall(plan) && dialect.sourceRanges === 'ruleBehindExternal') {
    add(emitFirewallRule(table, plan, names));
  }
  add(emitAffinitySets(table, plan, names));
  if (usesServiceChain(plan)) {
    add(emitPolicyChain(table, plan, names.service, plan.cluster, names));
  }
  if (usesLocalChain(plan)) {
    add(emitPolicyChain(table, plan, names.local, plan.local, names));
  }
  if (usesEndpointChains(table, plan)) {
    for (const endpoint of plan.reachable) {
      add(emitEndpointChain(table, node, plan, endpoint, names));
    }
  }
  return commands;
}

/**
 * The part of `emitServicePort` that others see: elements of shared sets and maps, and the chains that these lead to,
 * whose rules are left out.
 */
export function emitEntrances(table: ProxyTable, node: SharedNodePlan, plan: ServicePlan): readonly NftCommand[] {
  const names = serviceNames(plan);
  return [...emitChains(table, plan, names, false), ...emitAddresses(table, node, plan, names)];
}

function hasExternalChain(plan: ServicePlan): boolean {
  return plan.hasEndpoints && plan.isExternallyAccessible;
}

function usesServiceChain(plan: ServicePlan): boolean {
  return plan.cluster.length > 0 && plan.usesClusterEndpoints;
}

function usesLocalChain(plan: ServicePlan): boolean {
  return plan.local.length > 0 && plan.usesLocalEndpoints;
}

function emitChains(
  table: ProxyTable,
  plan: ServicePlan,
  names: ServiceNames,
  hasEndpointChains: boolean,
): readonly NftCommand[] {
  const commands: NftCommand[] = [];
  const add = (more: readonly NftCommand[]) => {
    for (const command of more) commands.push(command);
  };
  for (const { address, ip, port, isLocal } of plan.reachable) {
    const own = hasEndpointChains ? names.endpoints().get(address) : undefined;
    if (own !== undefined) {
      add(table.ensureChain(own.chain));
    }
    // Only a Pod on this node can meet itself here.
    if (isLocal && table.dialect.hairpin === 'set') {
      add(table.addElement(sets.hairpinConnections, { key: [ip, ip, plan.protocol, String(port)] }));
    }
  }
  if (usesServiceChain(plan)) {
    add(table.ensureChain(names.service));
  }
  if (usesLocalChain(plan)) {
    add(table.ensureChain(names.local));
  }
  if (hasExternalChain(plan)) {
    add(table.ensureChain(names.external));
  }
  return commands;
}

function* emitAffinitySets(table: ProxyTable, plan: ServicePlan, names: ServiceNames): Generator<NftCommand> {
  if (plan.affinitySeconds === undefined) {
    return;
  }
  for (const { affinity } of names.endpoints().values()) {
    yield table.addSet({
      kind: 'set',
      name: affinity,
      type: [table.addressType],
      flags: ['dynamic', 'timeout'],
      timeout: plan.affinitySeconds * 1000,
      elements: [],
    });
  }
}
