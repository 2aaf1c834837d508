import type { ProxyMode } from '../common/proxyMode.ts';
import type { DumpedRules } from '../dialect/dumpedRules.ts';
import { proxySetKind } from '../netfilter/ipset/proxySets.ts';
import { isIptablesModeChain } from '../netfilter/proxyChains.ts';

/** The modes whose rules are in a dump, the likeliest first: after a switch those of an older one may be left. */
export function dumpedModes({ iptables, nft, ipsets }: DumpedRules): readonly ProxyMode[] {
  const chains = new Set<string>();
  for (const { tables } of iptables) {
    for (const { name, chains: declared, rules } of tables) {
      for (const chain of declared) chains.add(`${name} ${chain.name}`);
      for (const { chain } of rules) chains.add(`${name} ${chain}`);
    }
  }
  const isIpvs =
    ipsets.some(({ name }) => proxySetKind(name) === 'CLUSTER-IP') ||
    chains.has('nat KUBE-LOAD-BALANCER') ||
    chains.has('filter KUBE-IPVS-FILTER');
  const isUserspace = [...chains].some((chain) => chain.startsWith('nat KUBE-PORTALS-'));
  const hasServices = [...chains].some((chain) => isOfIptablesMode(chain));
  const modes: ProxyMode[] = [];
  if (nft.some((table) => table.chains.length > 0)) modes.push('nftables');
  if (isIpvs) modes.push('ipvs');
  if (isUserspace) modes.push('userspace');
  if (modes.length === 0 || (hasServices && !isIpvs)) modes.push('iptables');
  return modes;
}

function isOfIptablesMode(chain: string): boolean {
  return chain === 'nat KUBE-NODEPORTS' || (chain.startsWith('nat ') && isIptablesModeChain(chain.slice(4)));
}
