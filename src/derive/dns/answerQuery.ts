import { canonicalIp } from '../../common/addresses/ip.ts';
import { addressRecord } from './apexRecords.ts';
import { type DnsIndex, followAlias, isInZone } from './dnsIndex.ts';
import type { DnsRecord, DnsType } from './dnsRecord.ts';
import type { DnsSettings } from './dnsSettings.ts';

/** How the cluster's DNS answers. `FORWARD`: it asks upstream, whose answer is not known here. */
export type QueryResult = 'NOERROR' | 'NODATA' | 'NXDOMAIN' | 'FORWARD';

export interface QueryAnswer {
  readonly result: QueryResult;
  readonly answers: readonly DnsRecord[];
}

/** What answers depend on. */
export interface DnsServer {
  readonly index: DnsIndex;
  readonly settings: DnsSettings;
  /** Namespaces that exist. */
  readonly namespaces: ReadonlySet<string>;
}

/** The answer to one query; `name` is absolute, upper case does not count. */
export function answerQuery(server: DnsServer, name: string, type: DnsType): QueryAnswer {
  const { index, settings } = server;
  const zone = `${settings.clusterDomain}.`;
  const owner = name.toLowerCase();
  if (!servedZones(zone).some((served) => isInZone(owner, served))) return { result: 'FORWARD', answers: [] };
  const there = index.byName.get(owner) ?? [];
  const found = there.filter((record) => record.type === type);
  if (found.length > 0) return { result: 'NOERROR', answers: found };
  const alias = there.find((record) => record.type === 'CNAME');
  if (alias !== undefined) return answerAlias(server, alias, type, zone);
  if (there.length > 0 || isEmptyName(server, owner, zone)) return { result: 'NODATA', answers: [] };
  return answerPod(server, owner, type, zone) ?? { result: 'NXDOMAIN', answers: [] };
}

/** The zones of addresses are served whole, as in the usual Corefile. */
function servedZones(zone: string): readonly string[] {
  return [zone, 'in-addr.arpa.', 'ip6.arpa.'];
}

function answerAlias({ index }: DnsServer, alias: DnsRecord, type: DnsType, zone: string): QueryAnswer {
  const { end, answers } = followAlias(index, alias, type, zone);
  if (end === 'found') return { result: 'NOERROR', answers };
  return end === 'outside' ? { result: 'FORWARD', answers } : { result: 'NODATA', answers: [] };
}

/** Names that CoreDNS knows without records: those between the zone and its Services, and namespaces. */
function isEmptyName({ namespaces, settings }: DnsServer, owner: string, zone: string): boolean {
  if (servedZones(zone).includes(owner) || owner === `svc.${zone}` || owner === `pod.${zone}`) return true;
  const [namespace = '', kind, ...rest] = owner.split('.');
  if (rest.join('.') !== zone || !namespaces.has(namespace)) return false;
  return kind === 'svc' || (kind === 'pod' && settings.pods !== 'disabled');
}

/** With `pods insecure` any address in a namespace that exists is answered with itself. */
function answerPod(
  { namespaces, settings }: DnsServer,
  owner: string,
  type: DnsType,
  zone: string,
): QueryAnswer | undefined {
  const [label = '', namespace = '', kind, ...rest] = owner.split('.');
  if (settings.pods !== 'insecure' || kind !== 'pod' || rest.join('.') !== zone || !namespaces.has(namespace)) {
    return undefined;
  }
  const isIpv4 = /^\d+-\d+-\d+-\d+$/.test(label);
  const address = canonicalIp(label.replaceAll('-', isIpv4 ? '.' : ':'));
  if (address === undefined) return undefined;
  const record = addressRecord(owner, address, settings.ttl);
  return record.type === type ? { result: 'NOERROR', answers: [record] } : { result: 'NODATA', answers: [] };
}
