import { chainOfElement } from '../../netfilter/nft/chainsNamed.ts';
import { isProxyTable, nftChainKind } from '../../netfilter/proxyChains.ts';
import { hasLines } from '../../node/lines/chainLines.ts';
import { nftElementsOf, nftRulesOf } from '../../node/nftItems.ts';
import type { RuleTable } from '../../node/nodeRules.ts';
import { nftChainName } from './nftChainName.ts';
import { serviceOfElement } from './serviceOfElement.ts';

/** Services (`namespace/name`) in kube-proxy's table of nftables mode, or in a part of it. */
export interface NftServices {
  /** In names of chains, in elements, or in comments of elements. */
  readonly named: ReadonlySet<string>;
  /** Those with rules of their own, or without any endpoint, and with every chain that an element leads to. */
  readonly shown: ReadonlySet<string>;
}

export function nftServices({ name: table, chains }: RuleTable): NftServices {
  const named = new Set<string>();
  const shown = new Set<string>();
  const cutOff = new Set<string>();
  if (!isProxyTable(table)) return { named, shown };
  const lead = (to: string) => {
    const service = nftChainKind(to) === undefined ? undefined : nftChainName(to)?.service;
    if (service !== undefined && !hasLines(chains.get(to))) cutOff.add(service);
  };
  for (const chain of chains.values()) {
    const own = nftChainName(chain.name.replace(/^(?:set|map) /, ''))?.service;
    if (own !== undefined) named.add(own);
    // `nft list chains` prints no rules.
    if (own !== undefined && nftRulesOf(chain).length > 0) shown.add(own);
    for (const { item } of nftElementsOf(chain)) {
      const [to = ''] = chainOfElement(item);
      const service = serviceOfElement(to, item.comment ?? '');
      if (service === undefined) continue;
      named.add(service);
      if (rejectingMaps.includes(chain.name)) shown.add(service);
      lead(to);
    }
  }
  for (const name of cutOff) shown.delete(name);
  return { named, shown };
}

/** A Service without endpoints is in no other map. */
export const rejectingMaps: readonly string[] = ['map no-endpoint-services', 'map no-endpoint-nodeports'];
