import { isProxyService } from '../netfilter/ipvs/isProxyService.ts';
import { isIptablesModeChain, isIpvsChain, isProxyTable } from '../netfilter/proxyChains.ts';
import { textChains } from './byteChains.ts';
import type { NodeRules, RuleChain, RuleTable } from './nodeRules.ts';
import { wantedChains } from './wantedChains.ts';

/**
 * Whether kube-proxy's IPVS mode shows: by its chains, else by virtual servers that it may have made, where there are no
 * rules of another mode. Other programs have virtual servers too, beside any mode.
 */
export function isInIpvsMode({ iptables, nft, ipvs }: Pick<NodeRules, 'iptables' | 'nft' | 'ipvs'>): boolean {
  const tables = iptables.flatMap((rules) => [...rules.tables.values()]);
  if (tables.some((table) => hasName(textChains(table).values(), isIpvsChain))) return true;
  const isNftables = nft.some((rules) => [...rules.tables.values()].some(isProxyHome));
  if (isNftables || tables.some(isOfIptablesMode)) return false;
  return ipvs.some((rules) =>
    [...(rules.tables.get('ipvs')?.chains.values() ?? [])].some(
      ({ content }) => content?.kind === 'virtualServer' && isProxyService(content.service),
    ),
  );
}

function isProxyHome({ name, chains }: RuleTable): boolean {
  return isProxyTable(name) && chains.has('services');
}

function isOfIptablesMode(table: RuleTable): boolean {
  return hasName(
    wantedChains(table, (kind) => kind === 'balance' || kind === 'endpoint'),
    isIptablesModeChain,
  );
}

function hasName(chains: Iterable<RuleChain>, isWanted: (name: string) => boolean): boolean {
  for (const { name } of chains) if (isWanted(name)) return true;
  return false;
}
