import type { Family } from '../common/family.ts';
import type { ProxyMode } from '../common/proxyMode.ts';
import type { NodeRules } from '../node/nodeRules.ts';

/** A dump that holds nothing of what the mode writes would look as if all were well. */
export function holdsMode(dump: NodeRules, mode: ProxyMode): boolean {
  const { nft, iptables, ipsets, ipvs, addresses } = dump;
  const hasOther = iptables.length + ipsets.length + ipvs.length + addresses.length > 0;
  if (mode === 'nftables') return nft.length > 0 || !hasOther;
  // Sets and addresses are shown of every node, and in iptables mode they say nothing.
  if (mode === 'iptables' && hasOther) return iptables.length > 0;
  return hasOther || nft.length === 0;
}

/** Whether a dump that holds something of a mode holds it of this family too: an image may have only one of the programs. */
export function showsFamily({ nft, iptables }: NodeRules, mode: ProxyMode, family: Family): boolean {
  if (mode === 'ipvs') return true;
  const sets = mode === 'nftables' ? nft : iptables;
  // Where nft shows anything, it shows all of its tables.
  return sets.length === 0 || mode === 'nftables' || sets.some((one) => one.family === family);
}
