import { cidrContains } from '../../common/addresses/cidr.ts';
import type { Family } from '../../common/addresses/family.ts';
import { hostCidr } from '../../common/addresses/hostCidr.ts';
import { canonicalIp } from '../../common/addresses/ip.ts';
import { ipPort } from '../../common/addresses/ipPort.ts';
import { type SeenEndpoint, type SeenService, type SeenServices, seenPort } from '../../model/seenServices.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { iptablesPorts } from '../iptables/iptablesPorts.ts';
import { nftPorts } from '../nft/nftPorts.ts';
import type { SeenPort, SeenSources } from './seenPort.ts';

/**
 * Services that the rules of a node name: in comments in iptables mode, in names of chains and comments of elements in
 * nftables mode. Rules of IPVS mode name none.
 */
export function seenServices(node: NodeRules): SeenServices {
  const services = new Map<string, Open>();
  for (const rules of node.iptables) {
    const isPart = rules.tables.get('nat')?.isWhole === false;
    for (const port of iptablesPorts(rules)) {
      add(services, port);
      if (isPart && port.lacksEndpoints) services.get(port.service)?.unshown.add(keyOf(port));
    }
  }
  for (const rules of node.nft) for (const port of nftPorts(rules)) add(services, port);
  return services;
}

/** The Services of these ports. */
export function servicesOf(ports: readonly SeenPort[]): SeenServices {
  const services = new Map<string, Open>();
  for (const port of ports) add(services, port);
  return services;
}

/** A Service while more of it is being found. */
interface Open extends SeenService {
  readonly clusterIPs: Map<Family, string>;
  readonly loadBalancerIPs: Set<string>;
  readonly externalIPs: Set<string>;
  readonly elsewhere: Set<string>;
  readonly unshown: Set<string>;
  readonly nodePorts: Map<string, number>;
  readonly portNames: Map<string, string>;
  healthCheckNodePort: number;
  affinitySeconds: number | undefined;
  externalPolicy: SeenService['externalPolicy'];
  internalPolicy: SeenService['internalPolicy'];
  sourceRanges: readonly string[];
  readonly allowsNode: Map<Family, boolean>;
  readonly endpoints: Map<string, readonly SeenEndpoint[]>;
}

function newService(): Open {
  return {
    clusterIPs: new Map(),
    loadBalancerIPs: new Set(),
    externalIPs: new Set(),
    elsewhere: new Set(),
    unshown: new Set(),
    nodePorts: new Map(),
    portNames: new Map(),
    healthCheckNodePort: 0,
    affinitySeconds: undefined,
    externalPolicy: undefined,
    internalPolicy: undefined,
    sourceRanges: [],
    allowsNode: new Map(),
    endpoints: new Map(),
  };
}

/** Addresses that the rules call external IPs are left out: the manifests list them. */
function add(services: Map<string, Open>, seen: SeenPort): void {
  const own = services.get(seen.service) ?? newService();
  services.set(seen.service, own);
  const port = seenPort(seen.protocol, seen.portName);
  const clusterIP = canonicalIp(seen.clusterIP ?? '');
  if (clusterIP !== undefined && !own.clusterIPs.has(seen.family)) own.clusterIPs.set(seen.family, clusterIP);
  for (const ip of seen.loadBalancerIPs) own.loadBalancerIPs.add(ip);
  for (const ip of seen.eitherIPs) own.externalIPs.add(ip);
  if (seen.port !== undefined) own.portNames.set(`${seen.protocol} ${seen.port}`, seen.portName);
  if (seen.nodePort !== undefined && !own.nodePorts.has(port)) own.nodePorts.set(port, seen.nodePort);
  if (seen.healthCheckNodePort !== undefined) own.healthCheckNodePort = seen.healthCheckNodePort;
  own.affinitySeconds ??= seen.affinitySeconds;
  if (own.externalPolicy !== 'Local') own.externalPolicy = seen.externalPolicy ?? own.externalPolicy;
  if (own.internalPolicy !== 'Local') own.internalPolicy = seen.internalPolicy ?? own.internalPolicy;
  if (seen.sources !== undefined) {
    own.sourceRanges = rangesOf(seen, own.sourceRanges);
    own.allowsNode.set(seen.family, own.allowsNode.get(seen.family) === true || allowsOwn(seen, seen.sources));
  }
  const key = keyOf(seen);
  const endpoints = endpointsOf(seen);
  if (endpoints !== undefined) own.endpoints.set(key, endpoints);
  if (seen.hasEndpoints === true && seen.local?.length === 0) own.elsewhere.add(key);
}

/** kube-proxy adds the load balancer's own addresses if a range contains the node. */
function rangesOf({ sources, loadBalancerIPs, eitherIPs }: SeenPort, known: readonly string[]): readonly string[] {
  const own = new Set([...loadBalancerIPs, ...eitherIPs].map(hostCidr));
  const ranges = (sources?.ranges ?? []).map(networkOf);
  return [...new Set([...known, ...ranges.filter((range) => !own.has(range))])];
}

function allowsOwn({ loadBalancerIPs, eitherIPs }: SeenPort, { ranges, own }: SeenSources): boolean {
  if (own !== 'perhaps') return own === 'apart';
  const addresses = [...loadBalancerIPs, ...eitherIPs];
  return ranges.map(networkOf).some((range) => addresses.some((ip) => cidrContains(range, ip)));
}

function networkOf(range: string): string {
  return range.includes('/') ? range : hostCidr(range);
}

function keyOf({ family, protocol, portName }: SeenPort): string {
  return `${family} ${seenPort(protocol, portName)}`;
}

/**
 * The rules for the cluster IP and those for external addresses may show different endpoints, or a different number of
 * them.
 */
function endpointsOf(seen: SeenPort): readonly SeenEndpoint[] | undefined {
  const { cluster, local, hasEndpoints, lacksEndpoints, localAddresses } = seen;
  if (hasEndpoints === false) return [];
  if (lacksEndpoints === true || (cluster === undefined && (local === undefined || local.length === 0)))
    return undefined;
  const found = new Map<string, SeenEndpoint>();
  for (const { ip, port } of cluster ?? []) {
    const key = ipPort(ip, port);
    found.set(key, { ip, port, isInCluster: true, isLocal: localAddresses?.has(key) ?? false });
  }
  for (const { ip, port } of local ?? []) {
    const key = ipPort(ip, port);
    found.set(key, { ip, port, isInCluster: found.has(key), isLocal: true });
  }
  return [...found.values()];
}
