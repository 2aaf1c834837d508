import { seenServices } from '../import/seenServices.ts';
import { addressValue } from '../netfilter/addressRanges.ts';
import type { Value } from '../netfilter/meaning.ts';
import { nftServiceName } from '../node/nftServiceName.ts';
import { servicePortInComment } from '../trace/servicePortInComment.ts';
import type { BehaviourSide } from './behaviourSide.ts';
import type { Probe } from './destinations.ts';
import type { Mention } from './ruleMentions.ts';

/** What an address is to the cluster. */
export type AddressKind =
  | 'clusterIP'
  | 'loadBalancerIP'
  /** External or a load balancer's: nftables mode does not say which. */
  | 'externalIP'
  | 'nodePort'
  /** An address of the node itself. */
  | 'node'
  | 'pod'
  | 'other';

export interface DestinationName {
  readonly kind: AddressKind;
  /** `namespace/name:port`. */
  readonly service: string | undefined;
  /** It is a port of a Service: rules or objects name the address with it. */
  readonly isServicePort?: true;
}

/** Names destinations by what the rules of both sides say of them. */
export type NameDestination = (address: Value, probe: Probe | undefined) => DestinationName;

export function destinationNames(
  sides: readonly BehaviourSide[],
  mentions: readonly Mention[],
  who: { readonly isNode: (address: Value) => boolean; readonly isPod: (address: Value) => boolean },
): NameDestination {
  const kinds = addressKinds(sides, mentions);
  const services = new Map<string, string>();
  const ports = new Set<string>();
  const virtual = new Set<string>();
  for (const { service, address, protocol, port } of sides.flatMap(({ named }) => named)) {
    const key = `${address ?? '*'} ${protocol} ${port}`;
    ports.add(key);
    services.set(key, service);
    if (address !== undefined && !services.has(String(address))) services.set(String(address), service);
  }
  for (const { address, protocol, port, said, isNodePort, origin } of mentions) {
    if (origin.kind === 'server') virtual.add(`${address?.first} ${protocol?.first} ${port?.first}`);
    if (port !== undefined && port.first === port.last && (address !== undefined || isNodePort)) {
      ports.add(`${address?.first ?? '*'} ${protocol?.first ?? ''} ${port.first}`);
    }
    const service = servicePortInComment(said) ?? nftServiceName(said ?? '');
    if (service === undefined || port === undefined) continue;
    const key = `${address?.first ?? '*'} ${protocol?.first ?? ''} ${port.first}`;
    if (!services.has(key)) services.set(key, service);
    if (address !== undefined && !services.has(String(address.first))) services.set(String(address.first), service);
  }
  return (address, probe) => {
    const end = `${probe?.protocol ?? ''} ${probe?.port ?? ''}`;
    const own = probe && services.get(`${address} ${end}`);
    const isServicePort = probe !== undefined && ports.has(`${address} ${end}`) && ({ isServicePort: true } as const);
    const known = kinds.get(address);
    if (known !== undefined) return { kind: known, service: own ?? services.get(String(address)), ...isServicePort };
    if (who.isNode(address)) {
      const service = own ?? (probe && services.get(`* ${end}`));
      const isNodePort =
        probe !== undefined && (service !== undefined || ports.has(`* ${end}`) || virtual.has(`${address} ${end}`));
      return isNodePort ? { kind: 'nodePort', service, isServicePort: true } : { kind: 'node', service };
    }
    return { kind: who.isPod(address) ? 'pod' : 'other', service: own };
  };
}

function addressKinds(sides: readonly BehaviourSide[], mentions: readonly Mention[]): ReadonlyMap<Value, AddressKind> {
  const kinds = new Map<Value, AddressKind>();
  const add = (ip: string, kind: AddressKind) => {
    const address = addressValue(ip);
    if (address !== undefined && (!kinds.has(address) || kind !== 'externalIP')) kinds.set(address, kind);
  };
  for (const { address, kind } of sides.flatMap(({ named }) => named)) {
    if (address !== undefined && kind !== 'nodePort' && !kinds.has(address)) kinds.set(address, kind);
  }
  for (const { node } of sides) {
    for (const { clusterIPs, loadBalancerIPs, externalIPs } of seenServices(node).values()) {
      for (const ip of externalIPs) add(ip, 'externalIP');
      for (const ip of loadBalancerIPs) add(ip, 'loadBalancerIP');
      for (const ip of clusterIPs.values()) add(ip, 'clusterIP');
    }
  }
  for (const { address, said } of mentions) {
    const kind = kindSaid(said ?? '');
    if (address !== undefined && address.first === address.last && kind !== undefined && !kinds.has(address.first)) {
      kinds.set(address.first, kind);
    }
  }
  return kinds;
}

/** By kube-proxy's comments, and its names of ipsets. */
function kindSaid(said: string): AddressKind | undefined {
  if (said.endsWith(' cluster IP') || /^KUBE-(?:6-)?CLUSTER-IP/.test(said)) return 'clusterIP';
  if (said.endsWith(' loadbalancer IP') || /^KUBE-(?:6-)?LOAD-BALANCER/.test(said)) return 'loadBalancerIP';
  if (said.endsWith(' external IP') || /^KUBE-(?:6-)?EXTERNAL-IP/.test(said)) return 'externalIP';
  return undefined;
}
