import type { NftElement } from '../netfilter/nft/ast.ts';
import { isProxyTable } from '../netfilter/proxyChains.ts';
import type { RuleTable } from '../node/nodeRules.ts';
import type { RuleChain } from '../node/ruleChain.ts';
import { nftChainName } from '../seen/names/nftChainName.ts';
import { serviceOfElement } from '../seen/names/serviceOfElement.ts';
import { hairpinKey, hairpinKeys, hairpinSet } from '../seen/nft/hairpinSet.ts';
import { withoutLines } from './withoutLines.ts';

/**
 * kube-proxy's table of nftables mode without the chains and elements of some Services (`namespace/name`). `keepsStrays`: with elements that
 * could be of no Service, which to find takes the endpoints of all.
 */
export function withoutNftServices(
  table: RuleTable,
  isOther: (service: string | undefined) => boolean,
  keepsStrays = true,
): RuleTable {
  if (!isProxyTable(table.name)) return table;
  const chains = new Map<string, RuleChain>();
  const clusterIPs = new Set<string>();
  const [own, others] = [new Set<string>(), new Set<string>()];
  for (const [name, chain] of table.chains) {
    const { content } = chain;
    const isAway = isOther(nftChainName(name)?.service);
    if (content?.kind === 'nftChain' && (keepsStrays || !isAway))
      for (const key of hairpinKeys(content.chain)) (isAway ? others : own).add(key);
    if (isAway) continue;
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
    chains.set(name, withoutElements(chain, away));
  }
  // Elements of these name no Service.
  const isOthers = (key: string) => (!keepsStrays || others.has(key)) && !own.has(key);
  for (const [name, isAway] of [
    ['set cluster-ips', ({ key }: NftElement) => clusterIPs.has(key[0] ?? '')],
    [hairpinSet, (element: NftElement) => isOthers(hairpinKey(element))],
  ] as const) {
    const chain = chains.get(name);
    if (chain?.content?.kind !== 'nftSet') continue;
    const away = chain.content.set.elements.flatMap((element, at) => (isAway(element) ? at : []));
    chains.set(name, withoutElements(chain, new Set(away)));
  }
  return { ...table, chains };
}

function withoutElements(chain: RuleChain, away: ReadonlySet<number>): RuleChain {
  if (away.size === 0) return chain;
  const narrowed = withoutLines(chain, away);
  if (chain.content?.kind !== 'nftSet') return narrowed;
  const elements = chain.content.set.elements.filter((_, at) => !away.has(at));
  return { ...narrowed, content: { ...chain.content, set: { ...chain.content.set, elements } } };
}

function serviceInElement({ verdict, comment = '' }: NftElement): string | undefined {
  return serviceOfElement(verdict !== undefined && 'chain' in verdict ? verdict.chain : '', comment);
}
