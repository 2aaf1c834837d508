import { isKubeName } from '../netfilter/proxyChains.ts';
import type { NodeRules } from '../node/nodeRules.ts';

/** Rules that iptables-nft wrote, as nft lists them: what nft has no words for is left out, so that nothing can be judged. */
export function showsOnlyByNft({ iptables, nft }: NodeRules): boolean {
  if (iptables.some(({ tables }) => tables.size > 0)) return false;
  const tables = nft.flatMap((rules) => [...rules.tables.values()]);
  return tables.some(({ name, chains }) => /^ip6? (?:nat|filter)$/.test(name) && [...chains.keys()].some(isKubeName));
}
