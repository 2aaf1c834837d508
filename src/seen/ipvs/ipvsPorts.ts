import { ipPort } from '../../common/addresses/ipPort.ts';
import type { Protocol } from '../../common/addresses/protocol.ts';
import { readIpPort } from '../../common/addresses/readIpPort.ts';
import { wholeRange } from '../../common/addresses/wholeRange.ts';
import { newSeenPort, type SeenPort, type SeenSources } from '../ports/seenPort.ts';
import type { IpvsFacts } from './ipvsFacts.ts';
import { matchAddresses } from './matchAddresses.ts';
import { matchHealthChecks } from './matchHealthChecks.ts';
import { matchNodePorts } from './matchNodePorts.ts';
import { nodePortsOf } from './nodePorts.ts';
import { pairNodePorts } from './pairNodePorts.ts';
import { type FamilyDrafts, type PortDraft, type ServiceDraft, serviceDrafts } from './serviceDraft.ts';

/** What IPVS mode shows, which does not name Services. */
export interface IpvsPorts {
  readonly ports: readonly SeenPort[];
  /** Addresses and ports that fit no Service with a cluster IP, in words. */
  readonly left: readonly string[];
  /** Names of Services that may have parts which belong to another. */
  readonly guesses: readonly string[];
}

/**
 * Service ports of IPVS mode in both families: one Service for each cluster IP, with an invented name; one for both
 * families if they share a node port. External addresses and node ports are assigned to Services by their servers; if
 * several fit, the choice makes no difference to the rules. `goByPolicy`: external IPs follow the policy, as since
 * 1.19.
 */
export function ipvsPorts(facts: readonly IpvsFacts[], goByPolicy: boolean): IpvsPorts {
  const families = facts.map((own) => familyDrafts(own, goByPolicy));
  const free = families.map((family) => ({ family, free: new Set(nodePortsOf(family.facts)) }));
  const left = free.flatMap((one) => matchAddresses(one.family, one.free));
  const [four, six] = free;
  if (four !== undefined && six !== undefined) pairNodePorts(four, six);
  for (const one of free) matchNodePorts(one.family, one.free);
  const unchecked = matchHealthChecks(families);
  const ports = families.flatMap(seenPorts);
  return {
    ports,
    left: [
      ...left.map(({ ip, protocol, port }) => `${ipPort(ip, port)}/${protocol.toLowerCase()}`),
      ...free.flatMap((one) => [...one.free].map(({ number }) => `node port ${number}`)),
      ...unchecked.map((number) => `health-check node port ${number}`),
    ],
    guesses: families.flatMap(({ drafts }) => drafts.filter(({ isGuess }) => isGuess).map(nameOf)),
  };
}

function familyDrafts(facts: IpvsFacts, goByPolicy: boolean): FamilyDrafts {
  const local = new Map(protocols.map((protocol) => [protocol, localEndpoints(facts, protocol)]));
  const isLocal = (protocol: Protocol, address: string) => local.get(protocol)?.has(address) ?? false;
  return { facts, drafts: serviceDrafts(facts), local, isLocal, goByPolicy };
}

function seenPorts(family: FamilyDrafts): readonly SeenPort[] {
  const { local } = family;
  const ports = family.drafts.flatMap((draft) => draft.ports.map((port) => seenPort(draft, port, family)));
  for (const port of ports) port.localAddresses = local.get(port.protocol) ?? new Set();
  giveIdle(ports, local);
  return ports;
}

const protocols: readonly Protocol[] = ['TCP', 'UDP', 'SCTP'];

/** The `ip:port` of endpoints on this node. */
function localEndpoints(facts: IpvsFacts, protocol: Protocol): ReadonlySet<string> {
  const own = facts.members('loopBack').filter((member) => member.protocol === protocol);
  return new Set(own.map(({ ip, port }) => ipPort(ip, port)));
}

/** A name that shows that it is invented: `svc-10-96-0-10`. */
function nameOf({ clusterIP: own, twin }: ServiceDraft): string {
  const clusterIP = twin?.clusterIP ?? own;
  return `default/svc-${clusterIP.replaceAll(/[.:]/g, '-').replace(/-+$/, (end) => `${end}0`)}`;
}

function seenPort(draft: ServiceDraft, port: PortDraft, { facts, isLocal, goByPolicy }: FamilyDrafts): SeenPort {
  const name = draft.ports.length === 1 ? '' : `${port.protocol.toLowerCase()}-${port.port}`;
  const seen = newSeenPort(facts.family, nameOf(draft), name, port.protocol, true);
  seen.clusterIP = draft.clusterIP;
  seen.port = port.port;
  for (const ip of draft.externalIPs) seen.externalIPs.push(ip);
  for (const ip of draft.loadBalancerIPs) seen.loadBalancerIPs.push(ip);
  if (port.nodePort !== undefined) seen.nodePort = port.nodePort;
  if (draft.healthCheckNodePort !== undefined) seen.healthCheckNodePort = draft.healthCheckNodePort;
  if (draft.externalIPs.length > 0) {
    seen.externalIPPolicy = goByPolicy ? draft.externalPolicy : 'Cluster';
  }
  const sources = sourcesOf(draft, port, facts);
  if (sources !== undefined) seen.sources = sources;
  if (port.servers.seconds > 0) seen.affinitySeconds = port.servers.seconds;
  takePolicies(seen, draft, port, (one) => isLocal(port.protocol, one));
  return seen;
}

/** Where an external address and the cluster IP have different servers, it shows whose policy is Local. */
function takePolicies(
  seen: SeenPort,
  { externalPolicy }: ServiceDraft,
  { servers, external }: PortDraft,
  isLocal: (address: string) => boolean,
): void {
  const inside = servers.endpoints;
  if (inside === undefined) return;
  if (externalPolicy !== undefined) seen.externalPolicy = externalPolicy;
  const outside = external?.endpoints;
  if (externalPolicy === 'Local' && outside !== undefined) {
    const isHere = outside.length > 0 && outside.every(({ ip, port }) => isLocal(ipPort(ip, port)));
    seen.local = isHere ? outside : [];
    // If no endpoint is on this node, external traffic goes to all.
    seen.cluster = isHere || outside.length === 0 ? inside : outside;
    if (!isHere && inside.length > 0) seen.fallsBack = outside.length > 0;
  } else if (outside !== undefined && servers.key !== external?.key) {
    seen.cluster = outside;
    setLocal(seen, inside);
  } else {
    seen.cluster = inside;
  }
  seen.hasEndpoints = inside.length + (outside?.length ?? 0) > 0;
}

function setLocal(seen: SeenPort, endpoints: SeenPort['cluster']): void {
  seen.internalPolicy = 'Local';
  seen.local = endpoints ?? [];
}

/**
 * ipset refuses a range of all addresses: a load balancer with a source-range rule and no range in the set has that
 * one.
 */
function sourcesOf(
  { loadBalancerIPs: [ip] }: ServiceDraft,
  { protocol, port }: PortDraft,
  facts: IpvsFacts,
): SeenSources | undefined {
  if (ip === undefined) return undefined;
  const address = { ip, protocol, port };
  if (facts.at('loadBalancerFirewall', address).length === 0) return undefined;
  const ranges = facts.at('loadBalancerSourceCIDR', address).map(({ third }) => third);
  const everybody = wholeRange(facts.family);
  const mayHideZero = ranges.length > 0;
  return {
    ranges: ranges.length > 0 ? ranges : [everybody],
    mayHideZero,
    own: facts.at('loadBalancerSourceIP', address).length > 0 ? 'apart' : 'none',
  };
}

/**
 * Endpoints on this node without a virtual server are not ready. Nothing shows their Service, so they go to the one
 * with an endpoint on the same Pod, or at the same port, or to the first of their protocol.
 */
function giveIdle(ports: readonly SeenPort[], local: ReadonlyMap<Protocol, ReadonlySet<string>>): void {
  for (const [protocol, addresses] of local) {
    const own = ports.filter((port) => port.protocol === protocol);
    const used = new Set<string>();
    for (const { cluster = [], local: here = [] } of own)
      for (const { ip, port } of [...cluster, ...here]) used.add(ipPort(ip, port));
    for (const address of addresses) {
      if (used.has(address)) continue;
      const endpoint = readIpPort(address);
      if (endpoint === undefined) continue;
      const knows = (test: (one: { ip: string; port: number }) => boolean) =>
        own.find(({ cluster = [], local: here = [] }) => cluster.some(test) || here.some(test));
      const owner = knows(({ ip }) => ip === endpoint.ip) ?? knows(({ port }) => port === endpoint.port) ?? own[0];
      owner?.idle.push(endpoint);
    }
  }
}
