import { linesOf } from '../node/chainLines.ts';
import { nftServiceName } from '../node/nftServiceName.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { servicePortInLine } from '../node/servicePortInLine.ts';

/**
 * Services, as `namespace/name`, that a dump names: in comments of KUBE-SERVICES (of KUBE-PORTALS-CONTAINER in userspace mode), or in names of chains in nftables mode,
 * where those without endpoints have none. IPVS mode names none.
 */
export function dumpedServices(dump: NodeRules): ReadonlySet<string> {
  const services = new Set<string>();
  for (const { kind, tables } of [...dump.iptables, ...dump.nft]) {
    for (const { chains } of tables.values()) {
      if (kind === 'iptables') {
        for (const name of ['KUBE-SERVICES', 'KUBE-PORTALS-CONTAINER']) {
          for (const line of linesOf(chains.get(name))) {
            const [service = ''] = servicePortInLine(line).split(':');
            if (service !== '') services.add(service);
          }
        }
      } else {
        for (const chain of chains.keys()) {
          const name = nftServiceName(chain)?.replace(/:.*$/, '');
          if (name !== undefined) services.add(name);
        }
      }
    }
  }
  return services;
}
