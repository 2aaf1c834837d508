import { isProxyTable } from '../netfilter/proxyChains.ts';
import { nftChainName } from '../node/nftChainName.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { servicesIn } from '../node/servicesIn.ts';

/** Services (`namespace/name`) that rules of iptables lead to by name, or that chains of nftables mode are named after. */
export function namedServices({ iptables, nft }: NodeRules): ReadonlySet<string> {
  const services = new Set(servicesIn(iptables, { table: 'nat', chains: ['KUBE-SERVICES'] }));
  for (const { tables } of nft) {
    for (const { name: table, chains } of tables.values()) {
      if (!isProxyTable(table)) continue;
      for (const name of chains.keys()) {
        const named = nftChainName(name);
        if (named !== undefined) services.add(named.service);
      }
    }
  }
  return services;
}
