import { nftServiceName } from '../node/nftServiceName.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { serviceOfPort } from '../node/serviceOfPort.ts';
import { servicesIn } from '../node/servicesIn.ts';

/**
 * Services, as `namespace/name`, that a dump names: in comments of KUBE-SERVICES (of KUBE-PORTALS-CONTAINER in userspace
 * mode), or in names of chains in nftables mode, where those without endpoints have none. IPVS mode names none.
 */
export function dumpedServices(dump: NodeRules): ReadonlySet<string> {
  const services = new Set(servicesIn(dump.iptables, { chains: ['KUBE-SERVICES', 'KUBE-PORTALS-CONTAINER'] }));
  for (const { tables } of dump.nft) {
    for (const { chains } of tables.values()) {
      for (const chain of chains.keys()) {
        const name = nftServiceName(chain);
        if (name !== undefined) services.add(serviceOfPort(name));
      }
    }
  }
  return services;
}
