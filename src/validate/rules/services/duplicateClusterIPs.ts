import { canonicalIp } from '../../../common/addresses/ip.ts';
import type { JsonPath } from '../../../diagnostics/diagnostic.ts';
import { originIn } from '../../../diagnostics/originIn.ts';
import type { Complain } from '../../fields/complain.ts';
import { nameOf } from '../../fields/describe.ts';
import type { Manifest } from '../../kinds/manifest.ts';
import type { Manifests, ServiceObject, ServicePortObject } from '../../kinds/manifests.ts';

/** Two Services with one cluster IP: the API server gives an address to one Service only. */
export function duplicateClusterIPs(manifests: Manifests, complain: Complain): void {
  const owners = new Map<string, Claim>();
  for (const service of manifests.services) {
    const { type, clusterIP, clusterIPs } = service.value.spec;
    if (type === 'ExternalName') continue;
    if (clusterIP) claim(owners, service, 'clusterIP', clusterIP, complain);
    const second = clusterIPs?.[1];
    if (second) claim(owners, service, 'clusterIPs', second, complain);
  }
}

function claim(
  owners: Map<string, Claim>,
  service: Manifest<ServiceObject>,
  field: Claim['field'],
  text: string,
  complain: Complain,
): void {
  const ip = canonicalIp(text);
  if (ip === undefined) return;
  const owner = owners.get(ip);
  if (owner === undefined) owners.set(ip, { service, field });
  else if (owner.service !== service) {
    complain(service, {
      code: 'duplicate-cluster-ip',
      path: pathOf(field),
      message: describe(owner.service.value, service.value, ip),
      also: [originIn(owner.service.origin, pathOf(owner.field))],
      hint: 'leave spec.clusterIP out and let one be assigned',
    });
  }
}

interface Claim {
  readonly service: Manifest<ServiceObject>;
  /** The first address stands in clusterIP, the second one in clusterIPs. */
  readonly field: 'clusterIP' | 'clusterIPs';
}

function pathOf(field: Claim['field']): JsonPath {
  return field === 'clusterIP' ? ['spec', field] : ['spec', field, 1];
}

function describe(earlier: ServiceObject, later: ServiceObject, ip: string): string {
  const taken = new Map((earlier.spec.ports ?? []).map((port) => [transport(port), port]));
  for (const port of later.spec.ports ?? []) {
    const other = taken.get(transport(port));
    if (other === undefined) continue;
    const address = `${ip.includes(':') ? `[${ip}]` : ip}:${transport(port)}`;
    return `${portName(later, port)} has the cluster IP and port of ${portName(earlier, other)}: ${address}`;
  }
  return `${nameOf(later.metadata)} has the cluster IP of ${nameOf(earlier.metadata)}: ${ip}`;
}

function transport(port: ServicePortObject): string {
  return `${port.port}/${(port.protocol ?? 'TCP').toLowerCase()}`;
}

function portName(service: ServiceObject, port: ServicePortObject): string {
  return port.name ? `${nameOf(service.metadata)}:${port.name}` : nameOf(service.metadata);
}
