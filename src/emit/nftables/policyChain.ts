import type { Endpoint } from '../../model/endpoint.ts';
import type { NftElement } from '../../netfilter/nft/ast.ts';
import type { NftCommand } from '../../netfilter/nft/command.ts';
import type { ServicePlan } from '../../plan/plan.ts';
import type { ServiceNames } from './names.ts';
import { goTo, inSet, type ProxyTable } from './table.ts';

/** Balances over endpoints: first clients that have one already, then a random choice for the others. */
export function* emitPolicyChain(
  table: ProxyTable,
  plan: ServicePlan,
  chain: string,
  endpoints: readonly Endpoint[],
  names: ServiceNames,
): Generator<NftCommand> {
  const elements: NftElement[] = [];
  for (const endpoint of endpoints) {
    const endpointNames = names.endpoints.get(endpoint.address);
    if (endpointNames === undefined) {
      continue;
    }
    if (plan.affinitySeconds !== undefined) {
      yield table.addRule(chain, [inSet(table.source, endpointNames.affinity), goTo(endpointNames.chain)]);
    }
    elements.push({ key: [String(elements.length)], verdict: { kind: 'goto', chain: endpointNames.chain } });
  }
  yield table.addRule(chain, [
    {
      kind: 'vmap',
      key: { kind: 'numgen', mode: 'random', modulus: elements.length },
      map: { kind: 'anonymousMap', elements },
    },
  ]);
}
