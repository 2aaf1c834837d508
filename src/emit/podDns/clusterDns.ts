import { addressInCidr } from '../../common/addressInCidr.ts';
import { parseCidr } from '../../common/cidr.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Cluster } from '../../model/cluster.ts';
import type { Service } from '../../model/service.ts';

/** The Service of the cluster's DNS servers. */
export interface ClusterDns {
  /** Undefined: not in the input, or without a cluster IP. */
  readonly service: Service | undefined;
  readonly addresses: readonly string[];
}

export interface ClusterDnsSettings {
  readonly service: { readonly namespace: string; readonly name: string };
  /** Given on the command line; undefined: not. */
  readonly addresses: readonly string[] | undefined;
}

/** kubeadm and its followers give the DNS Service the tenth address of the service range. */
const customaryOffset = 10;

/** The addresses of the cluster's DNS: those given, else the cluster IPs of its Service, else the customary ones. */
export function clusterDns(cluster: Cluster, settings: ClusterDnsSettings, report: Report): ClusterDns {
  const { namespace, name } = settings.service;
  const found = cluster.services.find((service) => service.id === `${namespace}/${name}`);
  const service = found?.kind === 'clusterIP' ? found : undefined;
  if (service !== undefined) return { service, addresses: settings.addresses ?? service.clusterIPs };
  if (settings.addresses !== undefined) return { service, addresses: settings.addresses };
  const addresses = cluster.serviceCIDRs
    .map(parseCidr)
    .map((cidr) => cidr && addressInCidr(cidr, customaryOffset))
    .filter((address) => address !== undefined);
  if (addresses.length > 0) {
    report({
      code: 'assumed-dns-ip',
      severity: 'note',
      message: `Service ${namespace}/${name} is not in the input: its address is taken to be ${addresses.join(' and ')}, the tenth of the service range`,
      at: [],
      hint: 'add the Service to the input, or name another with --dns-service',
    });
  }
  return { service, addresses };
}
