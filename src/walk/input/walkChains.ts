import { mapOnDemand } from '../../common/mapOnDemand.ts';
import { isHashedServiceChain } from '../../netfilter/proxyChains.ts';
import type { TableChains } from '../../node/chains/byteChains.ts';
import { eachChain, sharedChains } from '../../node/chains/eachChain.ts';
import type { RuleChain } from '../../node/ruleChain.ts';
import type { WalkChain, WalkChains } from './walkInput.ts';

/**
 * Chains of a table; `further` are those that the dump does not show. Each is made once, when a packet meets it. `make`
 * gives undefined for what is no chain (a set of nft's).
 */
export function walkChains(
  chains: TableChains,
  further: ReadonlyMap<string, WalkChain>,
  make: (chain: RuleChain) => WalkChain | undefined,
): WalkChains {
  const known = new Map<RuleChain, WalkChain>();
  const made = (chain: RuleChain) => {
    let own = known.get(chain);
    if (own === undefined) {
      own = make(chain);
      if (own !== undefined) known.set(chain, own);
    }
    return own;
  };
  function* all(from: Iterable<RuleChain>): Generator<WalkChain, undefined> {
    for (const chain of from) {
      const own = made(chain);
      if (own !== undefined) yield own;
    }
    yield* further.values();
    return undefined;
  }
  const map = mapOnDemand({
    get: (name) => {
      const chain = chains.get(name);
      return chain === undefined ? further.get(name) : made(chain);
    },
    has: (name) => chains.has(name) || further.has(name),
    count: () => [...all(chains.values())].length,
    values: () => all(chains.values()),
    nameOf: ({ name }: WalkChain) => name,
  });
  let shared: readonly WalkChain[] | undefined;
  return Object.assign(map, {
    shared: () => {
      shared ??= [...all(sharedOf(chains))];
      return shared;
    },
  });
}

function* sharedOf(chains: TableChains): Iterable<RuleChain> {
  for (const chain of eachChain({ chains }, sharedChains)) if (!isHashedServiceChain(chain.name)) yield chain;
}

export function sharedWalkChains(chains: WalkChains): Iterable<WalkChain> {
  return chains.shared?.() ?? chains.values();
}
