import type { ServiceChainKind } from '../netfilter/proxyChains.ts';
import { type ByteChains, byteChainsOf } from './byteChains.ts';
import type { RuleChain, RuleTable } from './nodeRules.ts';

/** The chains of a table, in its order, without those that stand in bytes and are of no kind that is wanted. */
export function wantedChains(
  table: Pick<RuleTable, 'chains'>,
  isWanted: (kind: ServiceChainKind) => boolean,
): Iterable<RuleChain> {
  const bytes = byteChainsOf(table);
  return bytes === undefined ? table.chains.values() : inOrder(bytes, isWanted);
}

function* inOrder(bytes: ByteChains, isWanted: (kind: ServiceChainKind) => boolean): Iterable<RuleChain> {
  const others = [...bytes.others.values()];
  let next = 0;
  for (const number of bytes.numbers()) {
    if (!isWanted(bytes.kindOf(number))) continue;
    const line = bytes.lineOf(number);
    for (; next < others.length && bytes.rankOf(others[next] as RuleChain) < line; next += 1) {
      yield others[next] as RuleChain;
    }
    yield bytes.chainAt(number);
  }
  for (; next < others.length; next += 1) yield others[next] as RuleChain;
}
