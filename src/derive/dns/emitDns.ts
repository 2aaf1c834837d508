import { compareIps, parseIp } from '../../common/addresses/ip.ts';
import { ascending } from '../../common/ascending.ts';
import { escapeJson } from '../../common/text/escapeText.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { Emitted } from '../emitted.ts';
import { type DnsIndex, followAlias } from './dnsIndex.ts';
import type { DnsZone } from './dnsRecord.ts';

export type DnsForm = 'zone' | 'hosts' | 'json';
export type ReverseFamily = 'ipv4' | 'ipv6';

const reverseZones: Readonly<Record<ReverseFamily, string>> = { ipv4: 'in-addr.arpa.', ipv6: 'ip6.arpa.' };

/** Zones in every form. Standard output holds one zone: `reverse` names that of addresses. */
export function emitDns(
  zones: readonly DnsZone[],
  index: DnsIndex,
  form: DnsForm,
  reverse: ReverseFamily | undefined,
): Emitted {
  const [forward] = zones;
  const shown = reverse === undefined ? forward : zones.find(({ name }) => name === reverseZones[reverse]);
  const hosts = () => (forward === undefined ? [] : hostsLines(forward, index));
  const json = () => [jsonForm(zones)];
  const printed = form === 'hosts' ? hosts() : form === 'json' ? json() : shown === undefined ? [] : zoneLines(shown);
  return {
    printed: inBlocks(printed),
    files: [
      ...zones.map((zone) => ({
        name: `${zone.name}zone`,
        form: 'state' as const,
        text: () => inBlocks(zoneLines(zone)),
      })),
      { name: 'named.conf', form: 'state', text: () => zones.map(zoneClause) },
      { name: 'hosts', form: 'state', text: () => inBlocks(hosts()) },
      { name: 'records.json', form: 'state', text: json },
    ],
    hasFindings: false,
  };
}

/** A write each line would be a system call each. */
function* inBlocks(lines: Iterable<string>): Generator<string> {
  let block: string[] = [];
  for (const line of lines) {
    block.push(line);
    if (block.length < 10_000) continue;
    yield block.join('');
    block = [];
  }
  if (block.length > 0) yield block.join('');
}

/** Says which zones are not on standard output. */
export function reportOtherZones(zones: readonly DnsZone[], reverse: ReverseFamily | undefined, report: Report): void {
  const shown = reverse === undefined ? zones[0]?.name : reverseZones[reverse];
  const others = zones.filter(({ name }) => name !== shown).map(({ name }) => name);
  if (others.length === 0) return;
  report({
    code: 'other-zones',
    severity: 'note',
    message: `only ${shown} is printed; there ${others.length === 1 ? 'is' : 'are'} also ${others.join(' and ')}`,
    at: [],
    hint: '--reverse ipv4 or ipv6 prints a zone of addresses, --out-dir writes all',
  });
}

/** RFC 1035, one record a line, names absolute. */
function zoneLines({ records }: DnsZone): readonly string[] {
  return records.map(({ name, ttl, type, data }) => `${name} ${ttl} IN ${type} ${data}\n`);
}

/** For BIND. It is asked not to check names: the first label of an IPv6 endpoint may begin with a dash. */
function zoneClause({ name }: DnsZone): string {
  return `zone "${name.slice(0, -1)}" { type primary; file "${name}zone"; check-names ignore; };\n`;
}

function hostsLines({ records, name: zone }: DnsZone, index: DnsIndex): readonly string[] {
  const pairs = records.flatMap((record) => {
    const found =
      record.type === 'A' || record.type === 'AAAA'
        ? [record]
        : record.type === 'CNAME'
          ? (['A', 'AAAA'] as const).flatMap((type) => followAlias(index, record, type, zone).answers)
          : [];
    return found
      .filter(({ type }) => type === 'A' || type === 'AAAA')
      .map(({ data }) => ({ address: data, ip: parseIp(data), name: record.name.slice(0, -1) }));
  });
  pairs.sort((a, b) => (a.ip && b.ip ? compareIps(a.ip, b.ip) : 0) || ascending(a.name, b.name));
  return pairs.map(({ address, name }) => `${address}\t${name}\n`);
}

function jsonForm(zones: readonly DnsZone[]): string {
  const value = { schema: 'k8snet.dns/v1', zones: zones.map(({ name, records }) => ({ zone: name, records })) };
  return `${escapeJson(JSON.stringify(value, null, 1))}\n`;
}
