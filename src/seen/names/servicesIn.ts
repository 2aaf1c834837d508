import { isPolicyChain } from '../../netfilter/policyParts.ts';
import { isKubeName } from '../../netfilter/proxyChains.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import { nftServices } from './nftServices.ts';
import { servicesByLine } from './servicesByLine.ts';

interface Place {
  readonly chains: readonly string[];
}

/**
 * Services (`namespace/name`) that kube-proxy's rules name, in all chains or in some: in comments of iptables, in names and
 * elements of nftables. Chains of others may have names of policies and Pods in their comments.
 */
export function servicesIn(sets: readonly ToolRules[], place?: Place): ReadonlySet<string> {
  const services = new Set<string>();
  for (const { kind, tables } of sets) {
    for (const table of tables.values()) {
      if (kind === 'nftables') for (const service of nftServices(table).named) services.add(service);
      if (kind !== 'iptables') continue;
      for (const chain of place?.chains.map((name) => table.chains.get(name)) ?? table.chains.values()) {
        if (chain === undefined || !isKubeName(chain.name) || isPolicyChain(chain.name)) continue;
        for (const service of servicesByLine(chain)) if (service !== '') services.add(service);
      }
    }
  }
  return services;
}
