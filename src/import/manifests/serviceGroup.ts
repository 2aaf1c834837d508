import type { Protocol } from '../../common/addresses/protocol.ts';
import type { SeenPort, TrafficPolicy } from '../../seen/ports/seenPort.ts';

/** All that rules show of one Service, in one family or both. */
export interface ServiceGroup {
  readonly namespace: string;
  readonly name: string;
  readonly isNameless: boolean;
  readonly seen: readonly SeenPort[];
  /** Its ports, each once, in the order of the rules. */
  readonly ports: readonly GroupPort[];
  readonly externalIPs: readonly string[];
  readonly loadBalancerIPs: readonly string[];
  /** Addresses that the rules do not call external IPs, and which are taken for them. */
  readonly guessedIPs: readonly string[];
  readonly externalPolicy: TrafficPolicy | undefined;
  readonly internalPolicy: TrafficPolicy | undefined;
  readonly affinitySeconds: number | undefined;
  readonly healthCheckNodePort: number | undefined;
}

export interface GroupPort {
  readonly name: string;
  readonly protocol: Protocol;
  readonly port: number | undefined;
  readonly nodePort: number | undefined;
  /** What each family shows of it. */
  readonly seen: readonly SeenPort[];
}

/** Service ports by their Services, in byte order of their names. */
export function serviceGroups(ports: readonly SeenPort[]): readonly ServiceGroup[] {
  const byService = new Map<string, SeenPort[]>();
  for (const port of ports) {
    const own = byService.get(port.service);
    if (own) own.push(port);
    else byService.set(port.service, [port]);
  }
  const sorted = [...byService].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted.map(([service, seen]) => groupOf(service, seen));
}

function groupOf(service: string, seen: readonly SeenPort[]): ServiceGroup {
  const slash = service.indexOf('/');
  const one = <T>(get: (port: SeenPort) => T | undefined): T | undefined => {
    for (const port of seen) {
      const value = get(port);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  const loadBalancerIPs = union(seen, (port) => port.loadBalancerIPs);
  const externalIPs = union(seen, (port) => port.externalIPs);
  const healthCheckNodePort = one((port) => port.healthCheckNodePort);
  const either = union(seen, (port) => port.eitherIPs).filter(
    (ip) => !loadBalancerIPs.includes(ip) && !externalIPs.includes(ip),
  );
  // A load balancer without an address that is known as its own has one of these.
  const isLoadBalancer = externalIPs.length === 0 && (loadBalancerIPs.length > 0 || healthCheckNodePort !== undefined);
  const areTold = seen.some(({ tellsLoadBalancers }) => tellsLoadBalancers);
  const areExternal = !isLoadBalancer || areTold;
  return {
    namespace: service.slice(0, slash),
    name: service.slice(slash + 1),
    isNameless: seen.some(({ isNameless }) => isNameless),
    seen,
    ports: groupPorts(seen),
    externalIPs: areExternal ? [...externalIPs, ...either] : externalIPs,
    loadBalancerIPs: areExternal ? loadBalancerIPs : [...loadBalancerIPs, ...either],
    guessedIPs: areExternal && !areTold ? either : [],
    // Only Services with policy Local have health checks.
    externalPolicy: healthCheckNodePort === undefined ? strictest(seen.map((port) => port.externalPolicy)) : 'Local',
    internalPolicy: strictest(seen.map((port) => port.internalPolicy)),
    affinitySeconds: one((port) => port.affinitySeconds),
    healthCheckNodePort,
  };
}

function union(seen: readonly SeenPort[], get: (port: SeenPort) => readonly string[]): readonly string[] {
  const [first] = seen;
  if (seen.length === 1 && first !== undefined) return get(first);
  return [...new Set(seen.flatMap((port) => get(port)))];
}

function strictest(policies: readonly (TrafficPolicy | undefined)[]): TrafficPolicy | undefined {
  if (policies.includes('Local')) return 'Local';
  return policies.includes('Cluster') ? 'Cluster' : undefined;
}

function groupPorts(seen: readonly SeenPort[]): readonly GroupPort[] {
  const byName = new Map<string, SeenPort[]>();
  for (const port of seen) {
    const key = `${port.protocol} ${port.portName}`;
    const own = byName.get(key);
    if (own) own.push(port);
    else byName.set(key, [port]);
  }
  return [...byName.values()].map((own) => {
    const { portName: name, protocol } = own[0] as SeenPort;
    const port = own.find((one) => one.port !== undefined)?.port;
    const nodePort = own.find((one) => one.nodePort !== undefined)?.nodePort;
    return { name, protocol, port, nodePort, seen: own };
  });
}
