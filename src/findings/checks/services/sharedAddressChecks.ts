import type { Protocol } from '../../../common/protocol.ts';
import type { ServicePort } from '../../../model/servicePort.ts';
import type { Finding } from '../../finding.ts';
import { makeFinding } from '../../makeFinding.ts';

/**
 * K8N903: two Services with one address and port. Cluster IPs and node ports that clash are refused before, as the API
 * server does; external and load-balancer IPs are nobody's to give, and the first rule then takes all.
 */
export function sharedAddressChecks(servicePorts: readonly ServicePort[]): readonly Finding[] {
  const owners = new Map<string, ServicePort>();
  const told = new Set<string>();
  const findings: Finding[] = [];
  for (const port of servicePorts) {
    for (const ip of addressesOf(port)) {
      const key = `${ip} ${port.protocol} ${port.port}`;
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, port);
      if (owner === undefined || nameOf(owner) === nameOf(port)) continue;
      const pair = `${key} ${nameOf(owner)} ${nameOf(port)}`;
      if (told.has(pair)) continue;
      told.add(pair);
      findings.push(
        makeFinding('K8N903', {
          seen: `${addressText(ip, port.port, port.protocol)} is also an address of ${nameOf(owner)}`,
          service: nameOf(port),
          names: { address: ip },
          expected: [port.origin, owner.origin],
        }),
      );
    }
  }
  return findings;
}

/** The Services that share an address, by the address. Linear in their ports. */
export function sharersOf(servicePorts: readonly ServicePort[]): ReadonlyMap<string, ReadonlySet<string>> {
  const owners = new Map<string, ServicePort>();
  const sharers = new Map<string, Set<string>>();
  for (const port of servicePorts) {
    for (const ip of addressesOf(port)) {
      const key = `${ip} ${port.protocol} ${port.port}`;
      const owner = owners.get(key);
      if (owner === undefined) owners.set(key, port);
      if (owner === undefined || nameOf(owner) === nameOf(port)) continue;
      sharers.set(ip, new Set([...(sharers.get(ip) ?? []), nameOf(owner), nameOf(port)]));
    }
  }
  return sharers;
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
