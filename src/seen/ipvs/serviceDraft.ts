import { canonicalIp } from '../../common/addresses/ip.ts';
import { ipPort } from '../../common/addresses/ipPort.ts';
import type { Protocol } from '../../common/addresses/protocol.ts';
import type { SeenAddress, TrafficPolicy } from '../ports/seenPort.ts';
import type { IpvsAddress, IpvsFacts } from './ipvsFacts.ts';
import { isAtNodePort } from './isAtNodePort.ts';

/** A Service whose cluster IP IPVS mode shows, and what was assigned to it so far. */
export interface ServiceDraft {
  readonly clusterIP: string;
  readonly ports: readonly PortDraft[];
  readonly externalIPs: string[];
  readonly loadBalancerIPs: string[];
  externalPolicy?: TrafficPolicy;
  /** The sources that its load-balancer address allows, by `sourcesKey`. */
  sources?: string;
  healthCheckNodePort?: number;
  /** The IPv4 half of the same Service. */
  twin?: ServiceDraft;
  /** Something assigned to it would fit another Service equally well. */
  isGuess?: true;
}

export interface PortDraft {
  readonly protocol: Protocol;
  readonly port: number;
  readonly servers: Servers;
  /** The policy of its external addresses. */
  external?: Servers;
  nodePort?: number;
}

/** The servers of a virtual server, and how long it keeps a client on one. */
export interface Servers {
  /** Undefined: the virtual server is not shown. */
  readonly endpoints: readonly SeenAddress[] | undefined;
  /** 0: it keeps no clients. */
  readonly seconds: number;
  /** Equal for virtual servers that do the same. */
  readonly key: string;
}

/** The Services of one family while addresses and node ports are assigned. */
export interface FamilyDrafts {
  readonly facts: IpvsFacts;
  readonly drafts: readonly ServiceDraft[];
  /** The endpoints (`ip:port`) that are on this node. */
  readonly local: ReadonlyMap<Protocol, ReadonlySet<string>>;
  /** An endpoint (`ip:port`) is on this node. */
  readonly isLocal: (protocol: Protocol, address: string) => boolean;
  /** The traffic policy also applies to external IPs, as since 1.19. */
  readonly goByPolicy: boolean;
}

/** A Service for each cluster IP, with all ports of that address. */
export function serviceDrafts(facts: IpvsFacts): readonly ServiceDraft[] {
  const drafts = new Map<string, PortDraft[]>();
  for (const address of clusterAddresses(facts)) {
    const own = drafts.get(address.ip) ?? [];
    own.push({ protocol: address.protocol, port: address.port, servers: serversAt(facts, address) });
    drafts.set(address.ip, own);
  }
  return [...drafts].map(([clusterIP, ports]) => ({ clusterIP, ports, externalIPs: [], loadBalancerIPs: [] }));
}

/** Without sets, every virtual server counts as that of a cluster IP, except those of node ports. */
function clusterAddresses(facts: IpvsFacts): readonly IpvsAddress[] {
  if (facts.hasSets) return facts.members('clusterIP');
  return facts.servers.map(({ address }) => address).filter((address) => !isAtNodePort(facts, address));
}

export function serversAt(facts: IpvsFacts, address: IpvsAddress): Servers {
  const service = facts.server(address);
  const seconds = service?.persistence?.seconds ?? 0;
  if (service === undefined) return { endpoints: undefined, seconds, key: '' };
  const endpoints = service.servers.map(({ ip, port }) => ({ ip: canonicalIp(ip) ?? ip, port }));
  const texts = endpoints.map(({ ip, port }) => ipPort(ip, port)).sort();
  return { endpoints, seconds, key: `${seconds} ${texts.join(' ')}` };
}
