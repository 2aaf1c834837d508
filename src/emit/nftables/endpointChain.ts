import type { Endpoint } from '../../model/endpoint.ts';
import type { NftCommand } from '../../netfilter/nft/command.ts';
import type { ServicePlan } from '../../plan/plan.ts';
import { chains } from './chainNames.ts';
import type { ServiceNames } from './names.ts';
import { jump, l4proto, matches, type ProxyTable } from './table.ts';

/** Sends to one endpoint; a pod that reaches itself through its Service must see another source than its own. */
export function* emitEndpointChain(
  table: ProxyTable,
  plan: ServicePlan,
  endpoint: Endpoint,
  names: ServiceNames,
): Generator<NftCommand> {
  const own = names.endpoints.get(endpoint.address);
  if (own === undefined) {
    return;
  }
  yield table.addRule(own.chain, [matches(table.source, endpoint.ip), jump(chains.markForMasquerade)]);
  if (plan.affinitySeconds !== undefined) {
    yield table.addRule(own.chain, [{ kind: 'setUpdate', operation: 'update', set: own.affinity, key: table.source }]);
  }
  yield table.addRule(own.chain, [
    matches(l4proto, plan.protocol),
    { kind: 'nat', action: 'dnat', address: endpoint.ip, port: String(endpoint.port), flags: [] },
  ]);
}
