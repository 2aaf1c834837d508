import { addressInCidr } from '../../common/addresses/addressInCidr.ts';
import { parseCidr } from '../../common/addresses/cidr.ts';
import type { Family } from '../../common/addresses/family.ts';
import { canonicalIp, familyOf } from '../../common/addresses/ip.ts';
import { type PortRange, usualNodePorts } from '../../common/addresses/portRange.ts';
import { ascending } from '../../common/ascending.ts';
import { sha256 } from '../../common/sha256.ts';
import { firstFew } from '../../common/text/firstFew.ts';
import type { Diagnostic, JsonPath, Report } from '../../diagnostics/diagnostic.ts';
import { originIn } from '../../diagnostics/originIn.ts';
import { type SeenServices, seenPort } from '../../model/seenServices.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { ServiceObject } from '../../validate/kinds/manifests.ts';
import type { TargetOptions } from '../targetOptions.ts';
import { defaultServiceCIDRs } from './defaultServiceCIDRs.ts';

/** What the API server would have filled in for one Service; parts that the manifest has stay empty. */
export interface Allocation {
  readonly clusterIPs: readonly string[];
  /** By index of spec.ports; 0: not allocated. */
  readonly nodePorts: readonly number[];
  /** 0: not allocated. */
  readonly healthCheckNodePort: number;
}

/** The most host addresses that are chosen from: a bound for the search in nearly full ranges. */
const largestOffset = 65_536;

/**
 * Chooses cluster IPs, node ports and health-check node ports that manifests lack. By a hash of the name, the choice is
 * the same for the same set of Services in any order, and never a used value. Each choice is reported with its value.
 */
export function allocate(
  services: readonly Manifest<ServiceObject>[],
  everyService: readonly Manifest<ServiceObject>[],
  options: TargetOptions,
  report: Report,
): ReadonlyMap<Manifest<ServiceObject>, Allocation> {
  const allocations = new Map<Manifest<ServiceObject>, Allocation>();
  if (options.seen !== undefined) return seenValues(services, options.seen, report);
  if (options.allocates === false) return allocations;
  const sorted = services
    .filter((service) => needsAny(service.value))
    .sort((a, b) => ascending(nameOf(a.value), nameOf(b.value)));
  if (sorted.length === 0) return allocations;
  const taken = takenValues(everyService, options.nodePortRange ?? usualNodePorts);
  for (const service of sorted) {
    allocations.set(service, {
      clusterIPs: allocateClusterIPs(service, taken, options, report),
      nodePorts: allocateNodePorts(service, taken, report),
      healthCheckNodePort: allocateHealthCheck(service, taken, report),
    });
  }
  return allocations;
}

/** What the node shows of values that manifests lack. */
function seenValues(
  services: readonly Manifest<ServiceObject>[],
  seen: SeenServices,
  report: Report,
): ReadonlyMap<Manifest<ServiceObject>, Allocation> {
  const allocations = new Map<Manifest<ServiceObject>, Allocation>();
  for (const service of services) {
    const { value } = service;
    const known = needsAny(value) ? seen.get(nameOf(value)) : undefined;
    if (known === undefined) continue;
    const hasClusterIP = Boolean(value.spec.clusterIP) || (value.spec.clusterIPs ?? []).length > 0;
    const missing = hasClusterIP ? missingFamilies(value) : [...known.clusterIPs.keys()];
    allocations.set(service, {
      clusterIPs: missing.flatMap((family) => known.clusterIPs.get(family) ?? []),
      nodePorts: (value.spec.ports ?? []).map((port) =>
        port.nodePort || !needsNodePorts(value)
          ? 0
          : (known.nodePorts.get(seenPort(port.protocol ?? 'TCP', port.name ?? '')) ?? 0),
      ),
      healthCheckNodePort: needsHealthCheck(value) ? known.healthCheckNodePort : 0,
    });
  }
  if (allocations.size > 0)
    reportSeenValues(
      [...allocations.keys()].map(({ value }) => nameOf(value)),
      report,
    );
  return allocations;
}

function reportSeenValues(services: readonly string[], report: Report): void {
  report({
    code: 'taken-from-dump',
    severity: 'note',
    message: `cluster IPs and node ports that the input lacks are taken from the dump: ${firstFew(services, 3)}`,
    at: [],
    hint: 'give what `kubectl get services -A -o json` prints for a full comparison',
  });
}

interface Taken {
  readonly clusterIPs: Set<string>;
  /** `30080/TCP`. */
  readonly nodePorts: Set<string>;
  /** The range that node ports are chosen from. */
  readonly range: PortRange;
}

function takenValues(services: readonly Manifest<ServiceObject>[], range: PortRange): Taken {
  const clusterIPs = new Set<string>();
  const nodePorts = new Set<string>();
  for (const { value } of services) {
    for (const ip of value.spec.clusterIPs ?? []) clusterIPs.add(canonicalIp(ip) ?? ip);
    if (value.spec.clusterIP) clusterIPs.add(canonicalIp(value.spec.clusterIP) ?? value.spec.clusterIP);
    for (const port of value.spec.ports ?? []) {
      if (port.nodePort) nodePorts.add(`${port.nodePort}/${port.protocol ?? 'TCP'}`);
    }
    if (value.spec.healthCheckNodePort) nodePorts.add(`${value.spec.healthCheckNodePort}/TCP`);
  }
  return { clusterIPs, nodePorts, range };
}

function needsAny(service: ServiceObject): boolean {
  return missingFamilies(service).length > 0 || needsNodePorts(service) || needsHealthCheck(service);
}

/** The families in which the Service should have a cluster IP and does not. */
function missingFamilies(service: ServiceObject, primary: Family = 'ipv4'): readonly Family[] {
  const { clusterIPs, clusterIP, ipFamilies, ipFamilyPolicy } = service.spec;
  const isSingle = (ipFamilies ?? []).length === 0 && ipFamilyPolicy !== 'RequireDualStack';
  if (isSingle && (clusterIP || (clusterIPs ?? []).length > 0)) return [];
  const given = (clusterIPs && clusterIPs.length > 0 ? clusterIPs : clusterIP ? [clusterIP] : []).map(familyOf);
  let wanted: readonly Family[] = (ipFamilies ?? []).map((family) => (family === 'IPv6' ? 'ipv6' : 'ipv4'));
  if (wanted.length === 0) wanted = given[0] ? [given[0]] : [primary];
  // PreferDualStack depends on the cluster; without further facts it counts as one family, as in a single-stack
  // cluster.
  if (ipFamilyPolicy === 'RequireDualStack' && wanted.length === 1) {
    wanted = [...wanted, wanted[0] === 'ipv4' ? 'ipv6' : 'ipv4'];
  }
  return wanted.filter((family) => !given.includes(family));
}

function needsNodePorts(service: ServiceObject): boolean {
  const { type, allocateLoadBalancerNodePorts, ports } = service.spec;
  const wants = type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);
  return wants && (ports ?? []).some((port) => !port.nodePort);
}

function needsHealthCheck(service: ServiceObject): boolean {
  const { type, externalTrafficPolicy, healthCheckNodePort } = service.spec;
  return type === 'LoadBalancer' && externalTrafficPolicy === 'Local' && !healthCheckNodePort;
}

function allocateClusterIPs(
  service: Manifest<ServiceObject>,
  taken: Taken,
  options: TargetOptions,
  report: Report,
): readonly string[] {
  const name = nameOf(service.value);
  const found: string[] = [];
  const primary = parseCidr(options.serviceCIDRs?.[0] ?? '')?.family ?? (options.family === 'ipv6' ? 'ipv6' : 'ipv4');
  for (const family of missingFamilies(service.value, primary)) {
    const text =
      options.serviceCIDRs?.find((candidate) => parseCidr(candidate)?.family === family) ?? defaultServiceCIDRs[family];
    const cidr = parseCidr(text);
    if (cidr === undefined) continue;
    const hosts = hostCount(cidr.length, family);
    let ip: string | undefined;
    for (let attempt = 0, offset = hashOf(`${name}/${family}`) % hosts; attempt < hosts; attempt++) {
      const candidate = addressInCidr(cidr, 1 + ((offset + attempt) % hosts));
      if (candidate !== undefined && !taken.clusterIPs.has(candidate)) {
        ip = candidate;
        break;
      }
    }
    const at = [{ ...service.origin, path: [...service.origin.path, 'spec', 'clusterIP'] }];
    if (ip === undefined) {
      report({
        code: 'range-exhausted',
        severity: 'error',
        message: `no cluster IP is left in ${cidr.text} for Service ${name}`,
        at,
        hint: 'give a larger --service-cidr',
      });
      continue;
    }
    taken.clusterIPs.add(ip);
    found.push(ip);
    report({
      code: 'allocated-cluster-ip',
      severity: 'warning',
      message: `Service ${name} has no cluster IP; using ${ip}, the cluster may choose a different one`,
      at,
      hint: `set spec.clusterIP, or read the Service from the cluster; the range is --service-cidr ${cidr.text}`,
    });
  }
  return found;
}

function allocateNodePorts(service: Manifest<ServiceObject>, taken: Taken, report: Report): readonly number[] {
  if (!needsNodePorts(service.value)) return [];
  const name = nameOf(service.value);
  // One Service may use one node port for two protocols of one port number, and the API server then does so.
  const ofPort = new Map<number, number>();
  const found: number[] = [];
  const ports = service.value.spec.ports ?? [];
  for (const port of ports) if (port.nodePort) ofPort.set(port.port, port.nodePort);
  for (const [index, port] of ports.entries()) {
    const protocol = port.protocol ?? 'TCP';
    if (port.nodePort) {
      found.push(0);
      continue;
    }
    const shared = ofPort.get(port.port);
    const chosen =
      shared !== undefined && !taken.nodePorts.has(`${shared}/${protocol}`)
        ? shared
        : freeNodePort(`${name}:${port.port}/${protocol}`, protocol, taken);
    found.push(chosen);
    if (chosen === 0) {
      report(noneLeft(service, name, taken, ['spec', 'ports', index, 'nodePort']));
      continue;
    }
    ofPort.set(port.port, chosen);
    taken.nodePorts.add(`${chosen}/${protocol}`);
    report({
      code: 'allocated-node-port',
      severity: 'warning',
      message: `port ${port.name ?? port.port} of Service ${name} has no node port; using ${chosen}/${protocol}, the cluster may choose a different one`,
      at: [{ ...service.origin, path: [...service.origin.path, 'spec', 'ports', index, 'nodePort'] }],
      hint: 'set nodePort, or read the Service from the cluster',
    });
  }
  return found;
}

function allocateHealthCheck(service: Manifest<ServiceObject>, taken: Taken, report: Report): number {
  if (!needsHealthCheck(service.value)) return 0;
  const name = nameOf(service.value);
  const chosen = freeNodePort(`${name}/health`, 'TCP', taken);
  if (chosen === 0) {
    report(noneLeft(service, name, taken, ['spec', 'healthCheckNodePort']));
    return 0;
  }
  taken.nodePorts.add(`${chosen}/TCP`);
  report({
    code: 'allocated-health-check-port',
    severity: 'warning',
    message: `Service ${name} has no health-check node port; using ${chosen}, the cluster may choose a different one`,
    at: [{ ...service.origin, path: [...service.origin.path, 'spec', 'healthCheckNodePort'] }],
    hint: 'set spec.healthCheckNodePort, or read the Service from the cluster',
  });
  return chosen;
}

function noneLeft(
  { origin }: Manifest<ServiceObject>,
  name: string,
  { range: { first, last } }: Taken,
  path: JsonPath,
): Diagnostic {
  return {
    code: 'range-exhausted',
    severity: 'error',
    message: `no node port is left in ${first}-${last} for Service ${name}`,
    at: [originIn(origin, path)],
    hint: 'give a larger --service-node-port-range',
  };
}

/** 0 if none is left. */
function freeNodePort(seed: string, protocol: string, taken: Taken): number {
  const { first, last } = taken.range;
  const count = last - first + 1;
  const start = hashOf(seed) % count;
  for (let attempt = 0; attempt < count; attempt++) {
    const candidate = first + ((start + attempt) % count);
    if (!taken.nodePorts.has(`${candidate}/${protocol}`)) return candidate;
  }
  return 0;
}

/** Usable host addresses of a range: without its first, and without an IPv4 broadcast address. */
function hostCount(prefix: number, family: Family): number {
  const bits = (family === 'ipv4' ? 32 : 128) - prefix;
  return bits > 16 ? largestOffset : Math.max(1, 2 ** bits - 2);
}

function hashOf(seed: string): number {
  return Number.parseInt(sha256(seed).slice(0, 8), 16);
}

function nameOf(service: ServiceObject): string {
  return `${service.metadata.namespace ?? 'default'}/${service.metadata.name}`;
}
