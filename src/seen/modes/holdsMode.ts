import { modeFacts } from '../../common/modeFacts.ts';
import type { ProxyMode } from '../../common/proxyMode.ts';
import type { NodeRules } from '../../node/nodeRules.ts';

/** A dump that holds nothing of what the mode writes would look as if all were well. */
export function holdsMode({ nft, iptables, ipsets, ipvs, addresses }: NodeRules, mode: ProxyMode): boolean {
  const hasOther = iptables.length + ipsets.length + ipvs.length + addresses.length > 0;
  if (modeFacts[mode].rulesIn === 'nftables') return nft.length > 0 || !hasOther;
  return hasOther || nft.length === 0;
}
