import { memoized } from '../../common/memoized.ts';
import { isProxyTable } from '../../netfilter/proxyChains.ts';
import type { NodeRules, RuleTable } from '../../node/nodeRules.ts';
import { nftChainName } from './nftChainName.ts';
import { rejectingMaps } from './nftServices.ts';
import { serviceInComment } from './serviceInComment.ts';
import { servicesIn } from './servicesIn.ts';

/**
 * Services, as `namespace/name`, that a dump names: in comments of KUBE-SERVICES (KUBE-PORTALS-CONTAINER in userspace
 * mode); in nftables mode in names of chains, and for Services without endpoints in comments of elements. IPVS mode
 * names none.
 */
export const dumpedServices = memoized(({ iptables, nft }: NodeRules): ReadonlySet<string> => {
  const services = new Set(servicesIn(iptables, { chains: ['KUBE-SERVICES', 'KUBE-PORTALS-CONTAINER'] }));
  for (const { tables } of nft) {
    for (const table of tables.values()) {
      if (!isProxyTable(table.name)) continue;
      for (const chain of table.chains.keys()) {
        const named = nftChainName(chain);
        if (named !== undefined) services.add(named.service);
      }
      for (const name of withoutEndpoints(table)) services.add(name);
    }
  }
  return services;
});

function withoutEndpoints({ chains }: RuleTable): readonly string[] {
  return rejectingMaps.flatMap((name) => {
    const content = chains.get(name)?.content;
    const elements = content?.kind === 'nftSet' ? content.set.elements : [];
    return elements.flatMap(({ comment }) => serviceInComment(comment)?.service ?? []);
  });
}
