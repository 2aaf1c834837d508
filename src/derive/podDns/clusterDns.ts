import { type AddressRange, addressInCidr } from '../../common/addresses/addressInCidr.ts';
import { parseCidr } from '../../common/addresses/cidr.ts';
import { familyOf, type Ip, parseIp } from '../../common/addresses/ip.ts';
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
  /** A wrong address does not matter much: that of the zone's own servers, which nobody asks for. */
  readonly isOfZone?: true;
}

/** kubeadm and its followers give the DNS Service the tenth address of the service range. */
const customaryOffset = 10;

/**
 * The addresses of the cluster's DNS: those given, the cluster IPs of its Service, or the customary ones. A Service that has
 * one of these and answers at port 53 is that of the DNS servers, whatever its name (RKE2, OpenShift).
 */
export function clusterDns(cluster: Cluster, settings: ClusterDnsSettings, report: Report): ClusterDns {
  const id = `${settings.service.namespace}/${settings.service.name}`;
  const found = cluster.services.find((service) => service.id === id);
  const service = found?.kind === 'clusterIP' ? found : undefined;
  if (service !== undefined) return { service, addresses: settings.addresses ?? service.clusterIPs };
  const given = settings.addresses ?? settings.otherwise;
  if (given !== undefined) return { service, addresses: given };
  const addresses = customaryAddresses(cluster);
  const holder = cluster.services.find(({ clusterIPs }) => clusterIPs.some((ip) => addresses.includes(ip)));
  const why = `Service ${id} is not in the input`;
  if (holder !== undefined && !servesDns(holder)) {
    reportUnknown(why, holder, addresses, settings, report);
    return { service, addresses };
  }
  const taken = holder?.clusterIPs ?? addresses;
  if (taken.length > 0) {
    const whose = holder === undefined ? 'its address is taken to be' : `${holder.id} is taken for it, with`;
    report({
      code: 'assumed-dns-ip',
      severity: 'note',
      message: `${why}: ${whose} ${taken.join(' and ')}, the tenth of the service range`,
      at: [],
      hint: 'add the Service to the input, or name another with --dns-service',
    });
  }
  return { service: holder, addresses: taken };
}

function reportUnknown(
  why: string,
  { id, clusterIPs, origin }: Service,
  addresses: readonly string[],
  { isOfZone }: ClusterDnsSettings,
  report: Report,
): void {
  const option = isOfZone ? `--dns-ip; the zone has ${addresses.join(' and ')}` : '--cluster-dns';
  report({
    code: 'unknown-dns-ip',
    severity: isOfZone ? 'warning' : 'error',
    message: `the address of the cluster's DNS servers is not known: ${why}, and ${id} has ${clusterIPs.join(' and ')}, the tenth of the service range`,
    at: [origin],
    hint: `add the Service to the input, or give its address with ${option}`,
  });
}

/** Where Service default/kubernetes is known, its address is the first of the range. */
function customaryAddresses({ services, serviceCIDRs }: Cluster): readonly string[] {
  const first = services.find(({ id }) => id === 'default/kubernetes')?.clusterIPs.map(parseIp) ?? [];
  const known = first.flatMap((ip) => (ip && addressInCidr(rangeFrom(ip), customaryOffset - 1)) ?? []);
  const families = known.map(familyOf);
  const others = serviceCIDRs
    .map(parseCidr)
    .flatMap((cidr) => (cidr && !families.includes(cidr.family) && addressInCidr(cidr, customaryOffset)) || []);
  return [...known, ...others];
}

function rangeFrom(ip: Ip): AddressRange {
  return ip.family === 'ipv4'
    ? { family: 'ipv4', first: ip.value, last: 0xffffffff }
    : { family: 'ipv6', first: ip.value, last: (1n << 128n) - 1n };
}

function servesDns({ ports }: Service): boolean {
  return ports.some(({ port, protocol }) => port === 53 && protocol === 'UDP');
}
