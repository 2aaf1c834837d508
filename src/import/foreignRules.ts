import type { Family } from '../common/addresses/family.ts';
import { builtinChains } from '../netfilter/iptables/builtinChains.ts';
import { isNeighbourChain, isProxyChain, isProxyTable } from '../netfilter/proxyChains.ts';
import { eachChain, sharedChains } from '../node/chains/eachChain.ts';
import { isProxySnat } from '../node/isProxySnat.ts';
import { lineCount, linesOf } from '../node/lines/chainLines.ts';
import type { NodeRules, RuleTable } from '../node/nodeRules.ts';
import { targetName } from '../node/rulesOf.ts';

/** How many rules of a node are other programs' work. */
export function foreignRules({ iptables, nft }: NodeRules): number {
  let count = 0;
  for (const { tables, family } of iptables) for (const table of tables.values()) count += inIptables(table, family);
  for (const { tables } of nft) {
    for (const table of tables.values()) {
      if (isProxyTable(table.name)) continue;
      for (const { content } of table.chains.values()) {
        if (content?.kind === 'nftChain') count += content.chain.rules.length;
      }
    }
  }
  return count;
}

function inIptables({ name: table, chains }: RuleTable, family: Family): number {
  const builtin = new Set<string>(builtinChains(table));
  let count = 0;
  for (const chain of eachChain({ chains }, sharedChains)) {
    if (builtin.has(chain.name)) count += linesOf(chain).filter((line) => !leadsToOurs(table, line, family)).length;
    else if (!isOurs(table, chain.name)) count += lineCount(chain);
  }
  return count;
}

function isOurs(table: string, chain: string): boolean {
  return isProxyChain(chain) || isNeighbourChain(table, chain) || (table === 'nat' && chain === 'KUBE-FIREWALL');
}

function leadsToOurs(table: string, line: string, family: Family): boolean {
  return isOurs(table, targetName(line)) || isProxySnat(line, family);
}
