import type { Family } from '../../common/addresses/family.ts';
import { modeFacts } from '../../common/proxy/modeFacts.ts';
import type { ProxyMode } from '../../common/proxy/proxyMode.ts';
import type { NodeRules } from '../../node/nodeRules.ts';

/** Whether a dump holds anything that the mode writes: without this check, an empty dump would look healthy. */
export function holdsMode({ nft, iptables, ipsets, ipvs, addresses }: NodeRules, mode: ProxyMode): boolean {
  const { rulesIn, usesIpvs } = modeFacts[mode];
  const hasOther = iptables.length + ipsets.length + ipvs.length + addresses.length > 0;
  if (rulesIn === 'nftables') return nft.length > 0 || !hasOther;
  // Every node shows sets and addresses: if only rules count, these prove nothing.
  if (!usesIpvs && hasOther) return iptables.length > 0;
  return hasOther || nft.length === 0;
}

/**
 * Whether a dump that has rules of a mode has them for this family too: an image may contain only one of the programs.
 */
export function showsFamily({ iptables }: NodeRules, mode: ProxyMode, family: Family): boolean {
  const { rulesIn, usesIpvs } = modeFacts[mode];
  // nft shows all of its tables or none.
  if (usesIpvs || rulesIn === 'nftables') return true;
  return iptables.length === 0 || iptables.some((one) => one.family === family);
}
