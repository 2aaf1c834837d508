import type { NftablesDialect } from '../../dialect/nftables/nftablesDialect.ts';
import type { NftCommand } from '../../netfilter/nft/command.ts';
import type { NodePlan, ServicePlan } from '../../plan/plan.ts';
import { emitAddresses } from './addresses.ts';
import { chains } from './chainNames.ts';
import { emitEndpointChain } from './endpointChain.ts';
import { emitExternalChain } from './externalChain.ts';
import { localMatch } from './localMatch.ts';
import { type ServiceNames, serviceNames } from './names.ts';
import { emitPolicyChain } from './policyChain.ts';
import { jump, matches, type ProxyTable } from './table.ts';

/** All that one service port adds, in kube-proxy 1.30's order. */
export function* emitServicePort(
  table: ProxyTable,
  dialect: NftablesDialect,
  node: NodePlan,
  plan: ServicePlan,
): Generator<NftCommand> {
  const names = serviceNames(plan);
  const hasExternalChain = plan.hasEndpoints && plan.isExternallyAccessible;
  yield* emitChains(table, plan, names, hasExternalChain);
  yield* emitAddresses(table, plan, names);
  yield* emitInternalMasquerade(table, dialect, node, plan, names);
  if (hasExternalChain) {
    yield* emitExternalChain(table, dialect, node, plan, names);
  }
  yield* emitAffinitySets(table, plan, names);
  if (usesServiceChain(plan)) {
    yield* emitPolicyChain(table, plan, names.service, plan.cluster, names);
  }
  if (usesLocalChain(plan)) {
    yield* emitPolicyChain(table, plan, names.local, plan.local, names);
  }
  for (const endpoint of plan.reachable) {
    yield* emitEndpointChain(table, plan, endpoint, names);
  }
}

function usesServiceChain(plan: ServicePlan): boolean {
  return plan.cluster.length > 0 && plan.usesClusterEndpoints;
}

function usesLocalChain(plan: ServicePlan): boolean {
  return plan.local.length > 0 && plan.usesLocalEndpoints;
}

function* emitChains(
  table: ProxyTable,
  plan: ServicePlan,
  names: ServiceNames,
  hasExternalChain: boolean,
): Generator<NftCommand> {
  for (const { chain } of names.endpoints.values()) {
    yield* table.ensureChain(chain);
  }
  if (usesServiceChain(plan)) {
    yield* table.ensureChain(names.service);
  }
  if (usesLocalChain(plan)) {
    yield* table.ensureChain(names.local);
  }
  if (hasExternalChain) {
    yield* table.ensureChain(names.external);
  }
}

/** Traffic to the cluster IP that is not a local pod's is masqueraded, so that answers come back through this node. */
function* emitInternalMasquerade(
  table: ProxyTable,
  dialect: NftablesDialect,
  node: NodePlan,
  plan: ServicePlan,
  names: ServiceNames,
): Generator<NftCommand> {
  const { kind, masquerade, over } = plan.internal;
  if (kind !== 'balance' || masquerade === 'never') {
    return;
  }
  const statements = [
    matches(table.destination, plan.port.clusterIP),
    matches({ kind: 'payload', protocol: plan.protocol, field: 'dport' }, String(plan.port.port)),
    ...(masquerade === 'always' ? [] : localMatch(table, dialect, node.localDetector, '!=')),
    jump(chains.markForMasquerade),
  ];
  yield table.addRule(over === 'local' ? names.local : names.service, statements);
}

function* emitAffinitySets(table: ProxyTable, plan: ServicePlan, names: ServiceNames): Generator<NftCommand> {
  if (plan.affinitySeconds === undefined) {
    return;
  }
  for (const { affinity } of names.endpoints.values()) {
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
