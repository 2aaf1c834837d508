import { canonicalIp } from '../../common/ip.ts';
import { ipPort } from '../../common/ipPort.ts';
import type { Protocol } from '../../common/protocol.ts';
import type { SeenAddress, TrafficPolicy } from '../ports/seenPort.ts';
import type { IpvsAddress, IpvsFacts } from './ipvsFacts.ts';

/** A Service of which IPVS mode shows a cluster IP, and what was found to belong to it. */
export interface ServiceDraft {
  readonly clusterIP: string;
  readonly ports: readonly PortDraft[];
  readonly externalIPs: string[];
  readonly loadBalancerIPs: string[];
  externalPolicy?: TrafficPolicy;
  /** What the addresses of its load balancer let pass, by `sourcesKey`. */
  sources?: string;
  healthCheckNodePort?: number;
  /** The same Service in IPv4. */
  twin?: ServiceDraft;
  /** Something that it was given fits another Service just as well. */
  isGuess?: true;
}

export interface PortDraft {
  readonly protocol: Protocol;
  readonly port: number;
  readonly servers: Servers;
  /** Of external addresses. */
  external?: Servers;
  nodePort?: number;
}

/** Where a virtual server sends to, and for how long it keeps a client there. */
export interface Servers {
  /** Undefined: the virtual server is not shown. */
  readonly endpoints: readonly SeenAddress[] | undefined;
  /** 0: it keeps none. */
  readonly seconds: number;
  /** Equal for virtual servers that do the same. */
  readonly key: string;
}

/** The Services of one family while addresses and node ports find theirs. */
export interface FamilyDrafts {
  readonly facts: IpvsFacts;
  readonly drafts: readonly ServiceDraft[];
  /** The endpoints (`ip:port`) that are on this node. */
  readonly local: ReadonlyMap<Protocol, ReadonlySet<string>>;
  /** An endpoint (`ip:port`) is on this node. */
  readonly isLocal: (protocol: Protocol, address: string) => boolean;
  /** The traffic policy holds for external IPs too: since 1.19. */
  readonly goByPolicy: boolean;
}

/** A Service for each cluster IP, with all ports that lead to it. */
export function serviceDrafts(facts: IpvsFacts): readonly ServiceDraft[] {
  const drafts = new Map<string, PortDraft[]>();
  for (const address of clusterAddresses(facts)) {
    const own = drafts.get(address.ip) ?? [];
    own.push({ protocol: address.protocol, port: address.port, servers: serversAt(facts, address) });
    drafts.set(address.ip, own);
  }
  return [...drafts].map(([clusterIP, ports]) => ({ clusterIP, ports, externalIPs: [], loadBalancerIPs: [] }));
}

/** Without sets every virtual server is taken for that of a cluster IP, but for those of node ports. */
function clusterAddresses(facts: IpvsFacts): readonly IpvsAddress[] {
  if (facts.hasSets) return facts.members('clusterIP');
  const { bound } = facts;
  return facts.servers
    .map(({ address }) => address)
    .filter(({ ip, port }) => bound?.has(ip) ?? !(port >= 30_000 && port < 32_768));
}

export function serversAt(facts: IpvsFacts, address: IpvsAddress): Servers {
  const service = facts.server(address);
  const seconds = service?.persistence?.seconds ?? 0;
  if (service === undefined) return { endpoints: undefined, seconds, key: '' };
  const endpoints = service.servers.map(({ ip, port }) => ({ ip: canonicalIp(ip) ?? ip, port }));
  const texts = endpoints.map(({ ip, port }) => ipPort(ip, port)).sort();
  return { endpoints, seconds, key: `${seconds} ${texts.join(' ')}` };
}
