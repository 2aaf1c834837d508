import type { ServiceChainKind } from '../netfilter/proxyChains.ts';
import { byteChainsOf } from './byteChains.ts';
import { chainsInOrder } from './chainsInOrder.ts';
import type { RuleChain, RuleTable } from './nodeRules.ts';

/** The chains of a table, in its order, without those that stand in bytes and are of no kind that is wanted. */
export function wantedChains(table: RuleTable, isWanted: (kind: ServiceChainKind) => boolean): Iterable<RuleChain> {
  const bytes = byteChainsOf(table);
  if (bytes === undefined) return table.chains.values();
  return chainsInOrder(
    bytes,
    bytes.numbers((chain) => isWanted(bytes.kindOf(chain))),
  );
}
