import type { Family } from '../../common/family.ts';
import { modeFacts } from '../../common/modeFacts.ts';
import type { ProxyMode } from '../../common/proxyMode.ts';
import type { NodeRules } from '../../node/nodeRules.ts';

/** A dump that holds nothing of what the mode writes would look as if all were well. */
export function holdsMode({ nft, iptables, ipsets, ipvs, addresses }: NodeRules, mode: ProxyMode): boolean {
  const { rulesIn, usesIpvs } = modeFacts[mode];
  const hasOther = iptables.length + ipsets.length + ipvs.length + addresses.length > 0;
  if (rulesIn === 'nftables') return nft.length > 0 || !hasOther;
  // Sets and addresses are shown of every node: where rules alone count they say nothing.
  if (!usesIpvs && hasOther) return iptables.length > 0;
  return hasOther || nft.length === 0;
}

/** Whether a dump that holds something of a mode holds it of this family too: an image may have only one of the programs. */
export function showsFamily({ iptables }: NodeRules, mode: ProxyMode, family: Family): boolean {
  const { rulesIn, usesIpvs } = modeFacts[mode];
  // nft shows all of its tables where it shows any.
  if (usesIpvs || rulesIn === 'nftables') return true;
  return iptables.length === 0 || iptables.some((one) => one.family === family);
}
