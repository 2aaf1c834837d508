import type { Family } from '../common/family.ts';
import { canonicalIp } from '../common/ip.ts';
import type { Protocol } from '../common/protocol.ts';
import { type SeenEndpoint, type SeenService, type SeenServices, seenPort } from '../model/seenServices.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import { addEndpoint } from './addEndpoint.ts';
import { seenInIptables } from './seenInIptables.ts';
import { seenInNft } from './seenInNft.ts';

/** What one rule or element shows of a Service port. */
export interface Sighting {
  /** `namespace/name`. */
  readonly service: string;
  readonly portName: string;
  readonly protocol: Protocol;
  readonly family: Family;
  /** `givenIP`: an external IP, which manifests have themselves; only its endpoints count. */
  readonly kind: 'clusterIP' | 'givenIP' | 'loadBalancerIP' | 'externalIP' | 'nodePort' | 'healthCheckNodePort';
  /** Of addresses. */
  readonly ip?: string;
  /** The Service's own port, of addresses. */
  readonly port?: number;
  /** Node port or health-check node port. */
  readonly number?: number;
  /** Undefined: nothing is shown of them here. */
  readonly endpoints?: readonly SeenEndpoint[];
  /** Traffic is dropped: all endpoints are on other nodes. */
  readonly isElsewhere?: boolean;
}

/**
 * Services as the rules of a node name them: by comments in iptables mode, by names of chains and comments of elements in
 * nftables mode. Rules of IPVS mode name none.
 */
export function seenServices(node: NodeRules): SeenServices {
  const services = new Map<string, Open>();
  for (const rules of node.iptables) for (const sighting of seenInIptables(rules)) add(services, sighting);
  for (const rules of node.nft) for (const sighting of seenInNft(rules)) add(services, sighting);
  return services;
}

/** A Service while more of it is found. */
interface Open extends SeenService {
  readonly clusterIPs: Map<Family, string>;
  readonly loadBalancerIPs: Set<string>;
  readonly externalIPs: Set<string>;
  readonly elsewhere: Set<string>;
  readonly nodePorts: Map<string, number>;
  readonly portNames: Map<string, string>;
  healthCheckNodePort: number;
  readonly endpoints: Map<string, readonly SeenEndpoint[]>;
}

/** What leads to the cluster IP and what leads to external addresses may show other endpoints, or more of them. */
function joined(one: readonly SeenEndpoint[], other: readonly SeenEndpoint[]): readonly SeenEndpoint[] {
  const found = new Map<string, SeenEndpoint>();
  for (const endpoint of [...one, ...other]) addEndpoint(found, endpoint);
  return [...found.values()];
}

function add(services: Map<string, Open>, sighting: Sighting): void {
  const { service, family, protocol, portName, kind, number = 0, endpoints } = sighting;
  let own = services.get(service);
  if (own === undefined) {
    own = {
      clusterIPs: new Map(),
      loadBalancerIPs: new Set(),
      externalIPs: new Set(),
      elsewhere: new Set(),
      nodePorts: new Map(),
      portNames: new Map(),
      healthCheckNodePort: 0,
      endpoints: new Map(),
    };
    services.set(service, own);
  }
  const ip = canonicalIp(sighting.ip ?? '');
  const port = seenPort(protocol, portName);
  if (kind === 'clusterIP' && ip !== undefined && !own.clusterIPs.has(family)) own.clusterIPs.set(family, ip);
  if (kind === 'loadBalancerIP' && ip !== undefined) own.loadBalancerIPs.add(ip);
  if (kind === 'externalIP' && ip !== undefined) own.externalIPs.add(ip);
  if (kind === 'nodePort' && !own.nodePorts.has(port)) own.nodePorts.set(port, number);
  if (sighting.port !== undefined) own.portNames.set(`${protocol} ${sighting.port}`, portName);
  if (kind === 'healthCheckNodePort') own.healthCheckNodePort = number;
  const key = `${family} ${port}`;
  if (sighting.isElsewhere) own.elsewhere.add(key);
  if (endpoints !== undefined) own.endpoints.set(key, joined(own.endpoints.get(key) ?? [], endpoints));
}
