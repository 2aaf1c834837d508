import type { NftElement } from '../netfilter/nft/ast.ts';
import { isProxyTable } from '../netfilter/proxyChains.ts';
import type { RuleTable } from '../node/nodeRules.ts';
import type { RuleChain } from '../node/ruleChain.ts';
import { nftChainName } from '../seen/names/nftChainName.ts';
import { serviceOfElement } from '../seen/names/serviceOfElement.ts';
import { withoutLines } from './withoutLines.ts';

/** kube-proxy's table of nftables mode without the chains and elements of some Services (`namespace/name`). */
export function withoutNftServices(table: RuleTable, isOther: (service: string | undefined) => boolean): RuleTable {
  if (!isProxyTable(table.name)) return table;
  const chains = new Map<string, RuleChain>();
  const clusterIPs = new Set<string>();
  for (const [name, chain] of table.chains) {
    const { content } = chain;
    if (isOther(nftChainName(name.replace(/^set /, ''))?.service)) continue;
    if (content?.kind !== 'nftSet') {
      chains.set(name, chain);
      continue;
    }
    const away = new Set<number>();
    for (const [at, element] of content.set.elements.entries()) {
      if (!isOther(serviceInElement(element))) continue;
      away.add(at);
      if (element.key.length === 3) clusterIPs.add(element.key[0] as string);
    }
    chains.set(name, away.size === 0 ? chain : withoutElements(chain, away));
  }
  const own = chains.get('set cluster-ips');
  if (own?.content?.kind === 'nftSet' && clusterIPs.size > 0) {
    const away = own.content.set.elements.flatMap(({ key }, at) => (clusterIPs.has(key[0] as string) ? at : []));
    chains.set('set cluster-ips', withoutElements(own, new Set(away)));
  }
  return { ...table, chains };
}

function withoutElements(chain: RuleChain, away: ReadonlySet<number>): RuleChain {
  const narrowed = withoutLines(chain, away);
  if (chain.content?.kind !== 'nftSet') return narrowed;
  const elements = chain.content.set.elements.filter((_, at) => !away.has(at));
  return { ...narrowed, content: { ...chain.content, set: { ...chain.content.set, elements } } };
}

function serviceInElement({ verdict, comment = '' }: NftElement): string | undefined {
  return serviceOfElement(verdict !== undefined && 'chain' in verdict ? verdict.chain : '', comment);
}
