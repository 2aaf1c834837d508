import { canonicalIp } from '../../common/addresses/ip.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Cluster } from '../../model/cluster.ts';
import { addressRecord } from './apexRecords.ts';
import type { DnsRecord } from './dnsRecord.ts';
import type { DnsSettings } from './dnsSettings.ts';

/** Of Pods that live and have an address: `10-244-1-5.shop.pod.cluster.local`. */
export function podRecords(cluster: Cluster, settings: DnsSettings, report: Report): readonly DnsRecord[] {
  const { clusterDomain, namespaces, ttl } = settings;
  const records: DnsRecord[] = [];
  for (const { value } of cluster.manifests.pods) {
    const { metadata, status } = value;
    const namespace = metadata.namespace || 'default';
    const address = canonicalIp(status?.podIP ?? '');
    if (address === undefined || metadata.deletionTimestamp || gonePhases.has(status?.phase ?? '')) continue;
    if (namespaces !== undefined && !namespaces.has(namespace)) continue;
    records.push(addressRecord(`${address.replace(/[.:]/g, '-')}.${namespace}.pod.${clusterDomain}.`, address, ttl));
  }
  if (settings.pods === 'insecure') {
    report({
      code: 'pods-insecure',
      severity: 'note',
      message:
        'with "pods insecure" a real server answers for any address in a namespace that exists, Pod or not; only those of Pods are listed',
      at: [],
    });
  }
  return records;
}

const gonePhases: ReadonlySet<string> = new Set(['Succeeded', 'Failed', 'Unknown']);
