import { isProxyTable, nftChainKind } from '../../../netfilter/proxyChains.ts';
import { ledTo } from '../../../node/ledTo.ts';
import { nftRulesOf } from '../../../node/nftItems.ts';
import type { RuleTable } from '../../../node/nodeRules.ts';
import type { RuleChain } from '../../../node/ruleChain.ts';

/**
 * What was flushed in kube-proxy's table of nftables mode: all of its chains, or all those of Services and endpoints.
 */
export type NftFlushed = 'table' | 'services';

/**
 * A single chain of a Service has a finding of its own. Chains that nothing leads to belong to deleted Services:
 * kube-proxy empties them at once and deletes them later.
 */
export function nftFlushed(table: RuleTable): NftFlushed | undefined {
  const { name, isWhole, chains } = table;
  if (!isWhole || !isProxyTable(name) || !chains.has('services')) return undefined;
  const all = [...chains.values()].filter(({ content }) => content?.kind === 'nftChain');
  const isEmpty = (chain: RuleChain) => nftRulesOf(chain).length === 0;
  if (all.every(isEmpty)) return 'table';
  const own = all.filter((chain) => nftChainKind(chain.name) !== undefined);
  if (own.length < fewest || !own.every(isEmpty)) return undefined;
  const led = ledTo(table);
  return led === undefined || own.some((chain) => led.has(chain.name)) ? 'services' : undefined;
}

const fewest = 2;
