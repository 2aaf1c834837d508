import { canonicalIp } from '../../../common/addresses/ip.ts';
import type { JsonPath } from '../../../diagnostics/diagnostic.ts';
import { originIn } from '../../../diagnostics/originIn.ts';
import type { Complain } from '../../fields/complain.ts';
import { nameOf } from '../../fields/describe.ts';
import type { Claims } from '../../keptClaims.ts';
import type { Manifest } from '../../kinds/manifest.ts';
import type { Manifests, ServiceObject, ServicePortObject } from '../../kinds/manifests.ts';

/** Two Services with one cluster IP: the API server gives an address to one Service only. */
export function duplicateClusterIPs(manifests: Manifests, complain: Complain): void {
  const owners = new Map<string, Claim>();
  for (const service of manifests.services) {
    for (const { field, ip } of claimsOf(service)) claim(owners, service, field, ip, complain);
  }
}

export const clusterIPs: Claims = {
  lists: ['services'],
  of: (manifest) => new Set(claimsOf(manifest as Manifest<ServiceObject>).map(({ ip }) => ip)),
};

function claimsOf({
  value,
}: Manifest<ServiceObject>): readonly { readonly field: Claim['field']; readonly ip: string }[] {
  const { type, clusterIP, clusterIPs } = value.spec;
  if (type === 'ExternalName') return [];
  const first = clusterIP ? canonicalIp(clusterIP) : undefined;
  const second = clusterIPs?.[1] ? canonicalIp(clusterIPs[1]) : undefined;
  return [
    ...(first === undefined ? [] : [{ field: 'clusterIP' as const, ip: first }]),
    ...(second === undefined ? [] : [{ field: 'clusterIPs' as const, ip: second }]),
  ];
}

function claim(
  owners: Map<string, Claim>,
  service: Manifest<ServiceObject>,
  field: Claim['field'],
  ip: string,
  complain: Complain,
): void {
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
