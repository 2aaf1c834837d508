import { isNeighbourChain, isProxyChain, isProxyTable } from '../netfilter/proxyChains.ts';
import type { NodeRules } from '../node/nodeRules.ts';

/**
 * kube-proxy's rules of iptables-nft, as nft lists them: what nft has no words for is left out, so that nothing can be judged.
 * kubelet's chains alone are no such rules, and beside kube-proxy's table of nftables mode they are not what serves.
 */
export function showsOnlyByNft({ iptables, nft }: NodeRules): boolean {
  if (iptables.some(({ tables }) => tables.size > 0)) return false;
  const tables = nft.flatMap((rules) => [...rules.tables.values()]);
  if (tables.some(({ name }) => isProxyTable(name))) return false;
  return tables.some(({ name, chains }) => {
    const table = /^ip6? (nat|filter)$/.exec(name)?.[1];
    return table !== undefined && [...chains.keys()].some((c) => isProxyChain(c) && !isNeighbourChain(table, c));
  });
}
