import { familyOf } from '../../common/addresses/ip.ts';
import type { DnsRecord } from './dnsRecord.ts';
import type { DnsSettings } from './dnsSettings.ts';

/** Without them a zone does not load. CoreDNS gives the SOA record five minutes at most. */
export function apexRecords(zone: string, settings: DnsSettings): readonly DnsRecord[] {
  const { clusterDomain, serial, ttl, server } = settings;
  const soa = `ns.dns.${clusterDomain}. hostmaster.${clusterDomain}. ${serial} 7200 1800 86400 ${ttl}`;
  const { service } = server;
  const name =
    service === undefined ? serverName(settings) : `${service.name}.${service.namespace}.svc.${clusterDomain}.`;
  return [
    { name: zone, ttl: Math.min(ttl, longestSoaTtl), type: 'SOA', data: soa },
    { name: zone, ttl, type: 'NS', data: name },
  ];
}

const longestSoaTtl = 300;

/** The servers' own addresses, and the version of the schema that the zone follows. */
export function serverRecords(settings: DnsSettings): readonly DnsRecord[] {
  const name = serverName(settings);
  return [
    ...settings.server.addresses.map((address) => addressRecord(name, address, settings.ttl)),
    { name: `dns-version.${settings.clusterDomain}.`, ttl: schemaTtl, type: 'TXT', data: '"1.1.0"' },
  ];
}

/** Eight hours: CoreDNS gives it whatever the TTL of the zone is. */
const schemaTtl = 28_800;

function serverName({ clusterDomain }: DnsSettings): string {
  return `ns.dns.${clusterDomain}.`;
}

/** A or AAAA, by the address. */
export function addressRecord(name: string, address: string, ttl: number): DnsRecord {
  return { name, ttl, type: familyOf(address) === 'ipv6' ? 'AAAA' : 'A', data: address };
}
