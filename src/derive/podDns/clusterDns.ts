import { addressInCidr } from '../../common/addresses/addressInCidr.ts';
import { parseCidr } from '../../common/addresses/cidr.ts';
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
  /** Instead of the Service's; undefined: none given. */
  readonly addresses: readonly string[] | undefined;
  /** For want of the Service only. */
  readonly otherwise?: readonly string[] | undefined;
}

/** kubeadm and its followers give the DNS Service the tenth address of the service range. */
const customaryOffset = 10;

/** The addresses of the cluster's DNS: those given, the cluster IPs of its Service, or the customary ones. */
export function clusterDns(cluster: Cluster, settings: ClusterDnsSettings, report: Report): ClusterDns {
  const { namespace, name } = settings.service;
  const found = cluster.services.find((service) => service.id === `${namespace}/${name}`);
  const service = found?.kind === 'clusterIP' ? found : undefined;
  if (service !== undefined) return { service, addresses: settings.addresses ?? service.clusterIPs };
  const given = settings.addresses ?? settings.otherwise;
  if (given !== undefined) return { service, addresses: given };
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
