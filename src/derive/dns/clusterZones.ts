import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Cluster } from '../../model/cluster.ts';
import { apexRecords, serverRecords } from './apexRecords.ts';
import type { DnsRecord, DnsZone } from './dnsRecord.ts';
import type { DnsSettings } from './dnsSettings.ts';
import { orderRecords } from './orderRecords.ts';
import { podRecords } from './podRecords.ts';
import { reverseRecords } from './reverseRecords.ts';
import { serviceRecords } from './serviceRecords.ts';

/** The zones that the cluster's DNS serves: its domain first, then those of addresses, which are left out when empty. */
export function clusterZones(cluster: Cluster, settings: DnsSettings, report: Report): readonly DnsZone[] {
  const { namespaces } = settings;
  const services = cluster.services.filter(({ namespace }) => namespaces?.has(namespace) ?? true);
  const records: DnsRecord[] = [...serverRecords(settings)];
  for (const service of services) for (const record of serviceRecords(service, settings, report)) records.push(record);
  if (settings.pods !== 'disabled') {
    for (const record of podRecords(cluster, settings, report)) records.push(record);
  }
  const zones = [zone(`${settings.clusterDomain}.`, records, settings, report)];
  const reverse = reverseRecords(services, settings);
  for (const [name, own] of [
    ['in-addr.arpa.', reverse.ipv4],
    ['ip6.arpa.', reverse.ipv6],
  ] as const) {
    if (own.length > 0) zones.push(zone(name, own, settings, report));
  }
  return zones;
}

function zone(name: string, records: readonly DnsRecord[], settings: DnsSettings, report: Report): DnsZone {
  const usable = withoutLongNames(records, report);
  return { name, records: [...apexRecords(name, settings), ...orderRecords(usable)] };
}

/** A label has at most 63 characters, a name 253 and its final dot; Kubernetes takes longer ones in several places. */
function withoutLongNames(records: readonly DnsRecord[], report: Report): readonly DnsRecord[] {
  const reported = new Set<string>();
  return records.filter(({ name, type, data }) => {
    const target = type === 'SRV' || type === 'CNAME' || type === 'PTR' ? data.slice(data.lastIndexOf(' ') + 1) : '';
    const bad = isTooLong(name) ? name : isTooLong(target) ? target : undefined;
    if (bad === undefined) return true;
    if (!reported.has(bad)) {
      reported.add(bad);
      report({
        code: 'dns-name-too-long',
        severity: 'warning',
        message: `left out, since DNS takes no such name (63 characters in a part, 253 in all): ${bad}`,
        at: [],
      });
    }
    return false;
  });
}

function isTooLong(name: string): boolean {
  return name.length > 254 || (name.length > 63 && longLabel.test(name));
}

const longLabel = /[^.]{64}/;
