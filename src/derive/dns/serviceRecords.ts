import { canonicalIp, parseIp } from '../../common/addresses/ip.ts';
import type { Report } from '../../diagnostics/diagnostic.ts';
import type { EndpointOfService, Service } from '../../model/service.ts';
import { addressRecord } from './apexRecords.ts';
import type { DnsRecord } from './dnsRecord.ts';
import type { DnsSettings } from './dnsSettings.ts';
import { endpointName } from './endpointName.ts';

/** The forward records of one Service; equal ones may come several times. */
export function serviceRecords(service: Service, settings: DnsSettings, report: Report): readonly DnsRecord[] {
  const name = `${service.name}.${service.namespace}.svc.${settings.clusterDomain}.`;
  switch (service.kind) {
    case 'clusterIP':
      return clusterIPRecords(service, name, settings);
    case 'headless':
      return headlessRecords(service, name, settings);
    case 'externalName':
      return externalNameRecords(service, name, settings, report);
    case 'unallocated':
      return [];
  }
}

function clusterIPRecords(service: Service, name: string, settings: DnsSettings): readonly DnsRecord[] {
  const { ttl, profile, usesPodNames } = settings;
  const { clusterIPs, ports } = service;
  const records = clusterIPs.map((ip) => addressRecord(name, ip, ttl));
  for (const port of ports) {
    if (port.name === '') continue;
    const owner = `_${port.name}._${port.protocol.toLowerCase()}.${name}`;
    records.push(srvRecord(owner, clusterIPs.length, port.port, name, ttl));
  }
  if (profile === 'spec') return records;
  for (const port of ports) records.push(srvRecord(name, clusterIPs.length * ports.length, port.port, name, ttl));
  for (const endpoint of service.endpoints.filter(({ isReady }) => isReady)) {
    records.push(addressRecord(`${endpointName(endpoint, usesPodNames)}.${name}`, ipOf(endpoint), ttl));
  }
  return records;
}

function headlessRecords(service: Service, name: string, settings: DnsSettings): readonly DnsRecord[] {
  const { ttl, profile, usesPodNames } = settings;
  const ready = service.endpoints.filter(({ isReady }) => isReady);
  const records: DnsRecord[] = [];
  const answers = countAnswers(ready);
  // A query for the Service matches every port, and an endpoint without ports once.
  const all = ready.reduce((sum, { ports }) => sum + Math.max(1, ports.length), 0);
  for (const endpoint of ready) {
    const ownName = `${endpointName(endpoint, usesPodNames)}.${name}`;
    records.push(addressRecord(name, ipOf(endpoint), ttl), addressRecord(ownName, ipOf(endpoint), ttl));
    for (const { name: portName, protocol, port } of endpoint.ports) {
      if (port === undefined) continue;
      const owner = `_${portName}._${protocol.toLowerCase()}`;
      if (portName !== '') {
        records.push(srvRecord(`${owner}.${name}`, answers.get(owner) ?? 1, port, ownName, ttl));
      }
      if (profile === 'coredns') records.push(srvRecord(name, all, port, ownName, ttl));
    }
  }
  return records;
}

/** How often each named port occurs, by `_http._tcp`: equal answers count before they become one. */
function countAnswers(endpoints: readonly EndpointOfService[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { ports } of endpoints) {
    for (const { name, protocol } of ports) {
      const owner = `_${name}._${protocol.toLowerCase()}`;
      counts.set(owner, (counts.get(owner) ?? 0) + 1);
    }
  }
  return counts;
}

function externalNameRecords(
  { externalName, origin, id }: Service,
  name: string,
  { ttl }: DnsSettings,
  report: Report,
): readonly DnsRecord[] {
  if (parseIp(externalName.replace(/\.$/, '')) === undefined) {
    const target = externalName.endsWith('.') ? externalName : `${externalName}.`;
    return [{ name, ttl, type: 'CNAME', data: target }];
  }
  report({
    code: 'external-name-is-address',
    severity: 'warning',
    message: `the external name of Service ${id} is an address, and an alias cannot lead to one: it has no record`,
    at: [{ ...origin, path: [...origin.path, 'spec', 'externalName'] }],
    hint: 'use a headless Service without selector, with Endpoints of that address',
  });
  return [];
}

/** The weight of one of `answers` equal answers. */
function srvRecord(name: string, answers: number, port: number, target: string, ttl: number): DnsRecord {
  return { name, ttl, type: 'SRV', data: `0 ${Math.max(1, Math.floor(100 / answers))} ${port} ${target}` };
}

function ipOf({ address }: EndpointOfService): string {
  return canonicalIp(address) ?? address;
}
