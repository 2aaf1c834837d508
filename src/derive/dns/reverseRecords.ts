import { parseIp } from '../../common/addresses/ip.ts';
import type { Service } from '../../model/service.ts';
import type { DnsRecord } from './dnsRecord.ts';
import type { DnsSettings } from './dnsSettings.ts';
import { endpointName } from './endpointName.ts';

/** PTR records by family: of cluster IPs, and of ready endpoints that no cluster IP hides. */
export function reverseRecords(
  services: readonly Service[],
  settings: DnsSettings,
): { readonly ipv4: readonly DnsRecord[]; readonly ipv6: readonly DnsRecord[] } {
  const { clusterDomain, ttl, usesPodNames } = settings;
  const records = { ipv4: [] as DnsRecord[], ipv6: [] as DnsRecord[] };
  const clusterIPs = new Set<string>();
  const add = (address: string, name: string, isCluster: boolean) => {
    const reverse = reverseName(address);
    if (reverse === undefined) return;
    if (isCluster) clusterIPs.add(reverse.name);
    else if (clusterIPs.has(reverse.name)) return;
    records[reverse.family].push({ name: reverse.name, ttl, type: 'PTR', data: name });
  };
  const nameOf = ({ name, namespace }: Service) => `${name}.${namespace}.svc.${clusterDomain}.`;
  for (const service of services) for (const ip of service.clusterIPs) add(ip, nameOf(service), true);
  for (const service of services) {
    if (settings.profile === 'spec' && service.kind !== 'headless') continue;
    for (const endpoint of service.endpoints) {
      if (endpoint.isReady) add(endpoint.address, `${endpointName(endpoint, usesPodNames)}.${nameOf(service)}`, false);
    }
  }
  return records;
}

/** `5.1.244.10.in-addr.arpa.` */
function reverseName(address: string): { readonly family: 'ipv4' | 'ipv6'; readonly name: string } | undefined {
  const ip = parseIp(address);
  if (ip === undefined) return undefined;
  if (ip.family === 'ipv4') {
    const { value } = ip;
    const octets = [value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24];
    return { family: 'ipv4', name: `${octets.join('.')}.in-addr.arpa.` };
  }
  const digits = [...ip.value.toString(16).padStart(32, '0')].reverse().join('.');
  return { family: 'ipv6', name: `${digits}.ip6.arpa.` };
}
