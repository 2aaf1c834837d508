import { isProxyTable, nftChainKind } from '../../netfilter/proxyChains.ts';
import { nftRulesOf } from '../../node/nftItems.ts';
import type { RuleChain, RuleTable } from '../../node/nodeRules.ts';

/** What of kube-proxy's table of nftables mode was flushed: all of its chains, or all of those of Services and endpoints. */
export type NftFlushed = 'table' | 'services';

/** A single chain of a Service is as short by itself. */
export function nftFlushed({ name, isWhole, chains }: RuleTable): NftFlushed | undefined {
  if (!isWhole || !isProxyTable(name) || !chains.has('services')) return undefined;
  const all = [...chains.values()].filter(({ content }) => content?.kind === 'nftChain');
  const isEmpty = (chain: RuleChain) => nftRulesOf(chain).length === 0;
  if (all.every(isEmpty)) return 'table';
  const own = all.filter((chain) => nftChainKind(chain.name) !== undefined);
  return own.length >= fewest && own.every(isEmpty) ? 'services' : undefined;
}

const fewest = 2;
