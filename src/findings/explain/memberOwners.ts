import { ipPort } from '../../common/addresses/ipPort.ts';
import { proxySetKind } from '../../netfilter/ipset/proxySets.ts';
import { serviceOfPort } from '../../seen/names/serviceOfPort.ts';
import type { KnownService, ServiceIndex } from './serviceIndex.ts';

/** The owner of something: a Service port, or a Service if several of its ports own it. */
export type Owner = Pick<KnownService, 'name' | 'origin'>;

/**
 * The owner of a member of an IPVS set, or of an address of kube-ipvs0; undefined: nothing shows it, or several share
 * it.
 */
export interface MemberOwners {
  readonly ofMember: (set: string, member: string) => Owner | undefined;
  readonly ofAddress: (ip: string) => Owner | undefined;
}

/** Builds the index on first use: that takes long in a large cluster. */
export function memberOwners(index: ServiceIndex): MemberOwners {
  let byAddress: ReadonlyMap<string, readonly KnownService[]> | undefined;
  let byEndpoint: ReadonlyMap<string, readonly KnownService[]> | undefined;
  const ofAddress = (ip: string) => {
    byAddress ??= grouped([...index.entrances].map(([key, { service }]) => [key.split(' ')[1] ?? '', service]));
    return ownerOf(byAddress.get(ip));
  };
  const ofEndpoint = (address: string) => {
    byEndpoint ??= grouped(
      [...index.byName.values()].flatMap((service) =>
        service.endpoints.map(({ address }) => [`${service.protocol} ${address}`, service] as const),
      ),
    );
    return ownerOf(byEndpoint.get(address));
  };
  const at = (protocol: string, ip: string, port: string) => index.entrances.get(`${protocol} ${ip} ${port}`)?.service;
  return {
    ofAddress,
    ofMember: (set, text) => {
      const kind = proxySetKind(set) ?? '';
      const [first = '', second = ''] = (text.split(' ')[0] ?? '').split(',');
      const [protocol = '', port = ''] = second.split(':');
      if (kind.startsWith('IPVS-IPS')) return ofAddress(first);
      if (kind.startsWith('LOOP-BACK')) return ofEndpoint(`${protocol} ${ipPort(first, Number(port))}`);
      if (kind.startsWith('HEALTH-CHECK')) {
        return protocols.map((one) => index.entrances.get(`${one} * ${first}`)).find(isHealthCheck)?.service;
      }
      if (kind.startsWith('NODE-PORT')) {
        return second === ''
          ? at(/TCP|UDP|SCTP/.exec(kind)?.[0].toLowerCase() ?? '', '*', first)
          : at(protocol, '*', port);
      }
      return at(protocol, first, port);
    },
  };
}

const protocols = ['tcp', 'udp', 'sctp'];

function isHealthCheck(entrance: { readonly what: string } | undefined): boolean {
  return entrance?.what === 'health-check node port';
}

function grouped(pairs: Iterable<readonly [string, KnownService]>): ReadonlyMap<string, readonly KnownService[]> {
  const groups = new Map<string, KnownService[]>();
  for (const [key, service] of pairs) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [service]);
    else if (!group.includes(service)) group.push(service);
  }
  return groups;
}

function ownerOf(services: readonly KnownService[] = []): Owner | undefined {
  const [first] = services;
  if (first === undefined || services.length === 1) return first;
  const name = serviceOfPort(first.name);
  return services.every((one) => serviceOfPort(one.name) === name) ? { name, origin: first.origin } : undefined;
}
