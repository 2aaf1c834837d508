import { canonicalIp } from '../../common/ip.ts';
import type { JsonPath } from '../../diagnostics/diagnostic.ts';
import { type Complain, originIn } from '../complaint.ts';
import { nameOf } from '../describe.ts';
import type { Manifest, Manifests, ServiceObject, ServicePortObject } from '../manifests.ts';

/** Two Services with one cluster IP: the API server gives an address to one Service only. */
export function duplicateClusterIPs(manifests: Manifests, complain: Complain): void {
  const owners = new Map<string, Claim>();
  for (const service of manifests.services) {
    for (const { ip, path } of clusterIPs(service.value)) {
      const owner = owners.get(ip);
      if (owner === undefined) owners.set(ip, { service, path });
      else if (owner.service !== service) {
        complain(service, {
          code: 'duplicate-cluster-ip',
          path,
          message: describe(owner.service.value, service.value, ip),
          also: [originIn(owner.service.origin, owner.path)],
          hint: 'leave spec.clusterIP out and let one be assigned',
        });
      }
    }
  }
}

interface Claim {
  readonly service: Manifest<ServiceObject>;
  readonly path: JsonPath;
}

function clusterIPs({ spec }: ServiceObject): readonly { readonly ip: string; readonly path: JsonPath }[] {
  if (spec.type === 'ExternalName') return [];
  const first = { text: spec.clusterIP ?? '', path: ['spec', 'clusterIP'] };
  const further = (spec.clusterIPs ?? []).slice(1, 2).map((text) => ({ text, path: ['spec', 'clusterIPs', 1] }));
  return [first, ...further].flatMap(({ text, path }) => {
    const ip = text === '' ? undefined : canonicalIp(text);
    return ip === undefined ? [] : [{ ip, path }];
  });
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
