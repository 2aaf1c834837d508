import type { Protocol } from '../../common/addresses/protocol.ts';
import type { ServicePort } from '../../model/servicePort.ts';
import type { ObjectProblem } from '../objectProblem.ts';

/**
 * K8N903: two Services with one address and port. Cluster IPs and node ports that clash are refused before, as the API
 * server does; external and load-balancer IPs are nobody's to give, and the first rule then takes all.
 */
export function sharedAddresses(servicePorts: readonly ServicePort[]): readonly ObjectProblem[] {
  const told = new Set<string>();
  return claims(servicePorts).flatMap(({ ip, port, owner }): readonly ObjectProblem[] => {
    const pair = `${ip} ${port.protocol} ${port.port} ${nameOf(owner)} ${nameOf(port)}`;
    if (told.has(pair)) return [];
    told.add(pair);
    return [
      {
        code: 'K8N903',
        what: `${addressText(ip, port.port, port.protocol)} is also an address of ${nameOf(owner)}`,
        service: nameOf(port),
        names: { address: ip },
        places: [port.origin, owner.origin],
      },
    ];
  });
}

/** The Services that share an address, by the address. */
export function sharersOf(servicePorts: readonly ServicePort[]): ReadonlyMap<string, ReadonlySet<string>> {
  const sharers = new Map<string, Set<string>>();
  for (const { ip, port, owner } of claims(servicePorts)) {
    const known = sharers.get(ip) ?? new Set();
    sharers.set(ip, known.add(nameOf(owner)).add(nameOf(port)));
  }
  return sharers;
}

/** A port whose address and number another Service had before it. */
interface Claim {
  readonly ip: string;
  readonly port: ServicePort;
  readonly owner: ServicePort;
}

/** Linear in the ports. */
function claims(servicePorts: readonly ServicePort[]): readonly Claim[] {
  const owners = new Map<string, ServicePort>();
  const found: Claim[] = [];
  for (const port of servicePorts) {
    for (const ip of addressesOf(port)) {
      const key = `${ip} ${port.protocol} ${port.port}`;
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, port);
      else if (nameOf(owner) !== nameOf(port)) found.push({ ip, port, owner });
    }
  }
  return found;
}

/** Where rules catch traffic: an ingress with ipMode Proxy has none. */
function addressesOf({ clusterIP, externalIPs, loadBalancerIngress }: ServicePort): readonly string[] {
  if (externalIPs.length + loadBalancerIngress.length === 0) return [clusterIP];
  const balanced = loadBalancerIngress.filter(({ ipMode }) => ipMode === 'VIP').map(({ ip }) => ip);
  return [...new Set([clusterIP, ...externalIPs, ...balanced])];
}

function nameOf({ namespace, name }: ServicePort): string {
  return `${namespace}/${name}`;
}

function addressText(ip: string, port: number, protocol: Protocol): string {
  return `${ip.includes(':') ? `[${ip}]` : ip}:${port}/${protocol.toLowerCase()}`;
}
