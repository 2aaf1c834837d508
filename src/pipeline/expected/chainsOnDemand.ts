import { mapOnDemand } from '../../common/mapOnDemand.ts';
import { onDemand } from '../../common/onDemand.ts';
import type { ServiceChainKind } from '../../netfilter/proxyChains.ts';
import type { TableChains } from '../../node/chains/byteChains.ts';
import type { ChainChoice } from '../../node/chains/chainChoice.ts';
import type { RuleChain } from '../../node/ruleChain.ts';

/** A table for somebody who asks for few chains. */
export interface ChainsToMake {
  /**
   * Those that no Service port has to itself, and under the names of the others, but of those of endpoints, anything. They
   * have the order of the table.
   */
  readonly shared: ReadonlyMap<string, RuleChain>;
  /** What a chain is for, by its name; undefined: no Service port has it to itself. */
  readonly kindOf: (name: string) => ServiceChainKind | undefined;
  /** The chains of the Service port that has this one, and maybe more; undefined: the name does not show which. */
  readonly chainsBeside: (name: string) => ReadonlyMap<string, RuleChain> | undefined;
  /** All chains of the table, in its order. */
  readonly all: () => ReadonlyMap<string, RuleChain>;
}

/** Chains of a Service port are made when one of them is asked for, and each only once. */
export function chainsOnDemand({ shared, kindOf, chainsBeside, all }: ChainsToMake): TableChains {
  const made = onDemand({ all });
  const known = new Map<string, RuleChain>();
  const isOwn = (name: string) => kindOf(name) !== undefined;
  const keep = (chains: ReadonlyMap<string, RuleChain>) => {
    for (const [name, chain] of chains) if (isOwn(name) && !known.has(name)) known.set(name, chain);
  };
  const get = (name: string): RuleChain | undefined => {
    if (!isOwn(name)) return shared.get(name);
    if (!known.has(name)) keep(chainsBeside(name) ?? made.all);
    return known.get(name);
  };
  function* values(): Generator<RuleChain, undefined> {
    for (const name of made.all.keys()) yield get(name) as RuleChain;
    return undefined;
  }
  function* some(choice: ChainChoice): Generator<RuleChain, undefined> {
    if ('names' in choice) {
      yield* values();
      return undefined;
    }
    for (const name of shared.keys()) {
      const kind = kindOf(name);
      const chain = kind === undefined || choice.kinds(kind) ? get(name) : undefined;
      if (chain !== undefined) yield chain;
    }
    // These are made with those of their Service, and after them all have to be.
    if (choice.kinds('endpoint')) for (const chain of values()) if (kindOf(chain.name) === 'endpoint') yield chain;
    return undefined;
  }
  const chains = mapOnDemand({
    get,
    has: (name) => get(name) !== undefined,
    count: () => made.all.size,
    values,
    nameOf: ({ name }: RuleChain) => name,
  });
  return Object.assign(chains, { some });
}
