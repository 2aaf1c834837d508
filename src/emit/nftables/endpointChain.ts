import type { Endpoint } from '../../model/endpoint.ts';
import type { NftCommand } from '../../netfilter/nft/command.ts';
import type { ServicePlan, SharedNodePlan } from '../../plan/plan.ts';
import { markForMasquerade } from './masquerading.ts';
import type { ServiceNames } from './names.ts';
import { l4proto, matches, type ProxyTable } from './table.ts';

/** Whether each endpoint has a chain: apart from the DNAT it contains what remembers a client. */
export function usesEndpointChains(table: ProxyTable, plan: ServicePlan): boolean {
  return table.dialect.balance === 'endpointChains' || plan.affinitySeconds !== undefined;
}

/** Sends to one endpoint; a Pod that reaches itself through its Service must see a source other than its own. */
export function emitEndpointChain(
  table: ProxyTable,
  node: SharedNodePlan,
  plan: ServicePlan,
  endpoint: Endpoint,
  names: ServiceNames,
): readonly NftCommand[] {
  const own = names.endpoints().get(endpoint.address);
  if (own === undefined) {
    return [];
  }
  const rules: NftCommand[] = [];
  if (table.dialect.hairpin === 'endpointChain') {
    rules.push(table.addRule(own.chain, [matches(table.source, endpoint.ip), markForMasquerade(table, node)]));
  }
  if (plan.affinitySeconds !== undefined) {
    rules.push(
      table.addRule(own.chain, [{ kind: 'setUpdate', operation: 'update', set: own.affinity, key: table.source }]),
    );
  }
  rules.push(
    table.addRule(own.chain, [
      matches(l4proto, plan.protocol),
      { kind: 'nat', action: 'dnat', address: endpoint.ip, port: String(endpoint.port), flags: [] },
    ]),
  );
  return rules;
}
