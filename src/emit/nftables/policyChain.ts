import type { Endpoint } from '../../model/endpoint.ts';
import type { NftElement, Selector } from '../../netfilter/nft/ast.ts';
import type { NftCommand } from '../../netfilter/nft/command.ts';
import type { ServicePlan } from '../../plan/plan.ts';
import { usesEndpointChains } from './endpointChain.ts';
import type { ServiceNames } from './names.ts';
import { goTo, inSet, l4proto, matches, type ProxyTable } from './table.ts';

/** Balances over endpoints: clients that have an endpoint keep it, all others get a random one. */
export function* emitPolicyChain(
  table: ProxyTable,
  plan: ServicePlan,
  chain: string,
  endpoints: readonly Endpoint[],
  names: ServiceNames,
): Generator<NftCommand> {
  if (!usesEndpointChains(table, plan)) {
    yield* emitDnatMap(table, plan, chain, endpoints);
    return;
  }
  const elements: NftElement[] = [];
  for (const endpoint of endpoints) {
    const endpointNames = names.endpoints().get(endpoint.address);
    if (endpointNames === undefined) {
      continue;
    }
    if (plan.affinitySeconds !== undefined) {
      yield table.addRule(chain, [inSet(table.source, endpointNames.affinity), goTo(endpointNames.chain)]);
    }
    elements.push({ key: [String(elements.length)], verdict: { kind: 'goto', chain: endpointNames.chain } });
  }
  yield table.addRule(chain, [
    { kind: 'vmap', key: randomOf(elements.length), map: { kind: 'anonymousMap', elements } },
  ]);
}

function* emitDnatMap(
  table: ProxyTable,
  plan: ServicePlan,
  chain: string,
  endpoints: readonly Endpoint[],
): Generator<NftCommand> {
  const [only, ...others] = endpoints;
  if (table.dialect.namesSingleEndpoint && only !== undefined && others.length === 0) {
    yield table.addRule(chain, [
      matches(l4proto, plan.protocol),
      { kind: 'nat', action: 'dnat', address: only.ip, port: String(only.port), flags: [] },
    ]);
    return;
  }
  const elements = endpoints.map(({ ip, port }, index) => ({ key: [String(index)], value: [ip, String(port)] }));
  const lookup = { key: randomOf(elements.length), map: { kind: 'anonymousMap', elements } } as const;
  yield table.addRule(chain, [
    matches(l4proto, plan.protocol),
    { kind: 'nat', action: 'dnat', family: table.family, lookup, flags: [] },
  ]);
}

function randomOf(count: number): Selector {
  return { kind: 'numgen', mode: 'random', modulus: count };
}
