import type { Value } from '../../common/ranges/valueRange.ts';
import { proxySetKind } from '../../netfilter/ipset/proxySets.ts';
import { isPolicyChain } from '../../netfilter/policyParts.ts';
import { nftServiceName } from '../../seen/names/nftServiceName.ts';
import { servicePortInComment } from '../../seen/names/servicePortInComment.ts';
import type { BehaviourSide } from '../behaviourSide.ts';
import type { Mention } from '../shape/ruleMentions.ts';
import type { ProtocolPort } from './destinations.ts';

/** The role of an address in the cluster. */
export type AddressKind =
  | 'clusterIP'
  | 'loadBalancerIP'
  /** External or a load balancer's: nftables mode does not distinguish them. */
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

/** Names destinations by what the rules of both sides say about them. */
export type NameDestination = (address: Value, protocolPort: ProtocolPort | undefined) => DestinationName;

export function destinationNames(
  sides: readonly BehaviourSide[],
  mentions: readonly Mention[],
  who: { readonly isNode: (address: Value) => boolean; readonly isPod: (address: Value) => boolean },
): NameDestination {
  const all = [...new Set(sides.map(({ named }) => named))].flat();
  const kinds = addressKinds(all, mentions);
  const services = new Map<string, string>();
  const ports = new Set<string>();
  const virtual = new Set<string>();
  for (const { service, address, protocol, port } of all) {
    const key = `${address ?? '*'} ${protocol} ${port}`;
    ports.add(key);
    services.set(key, service);
    if (address !== undefined && !services.has(String(address))) services.set(String(address), service);
  }
  for (const { address, protocol, port, label, isNodePort, origin } of mentions) {
    if (origin.kind === 'server') virtual.add(`${address?.first} ${protocol?.first} ${port?.first}`);
    if (port !== undefined && port.first === port.last && (address !== undefined || isNodePort)) {
      ports.add(`${address?.first ?? '*'} ${protocol?.first ?? ''} ${port.first}`);
    }
    // Rules of policies have comments that look like those of Services: `shop/web ingress pods`.
    if (port === undefined || (origin.kind === 'rule' && isPolicyChain(origin.rule.chain.name))) continue;
    const service = servicePortInComment(label) ?? nftServiceName(label ?? '');
    if (service === undefined) continue;
    const key = `${address?.first ?? '*'} ${protocol?.first ?? ''} ${port.first}`;
    if (!services.has(key)) services.set(key, service);
    if (address !== undefined && !services.has(String(address.first))) services.set(String(address.first), service);
  }
  return (address, protocolPort) => {
    const end = `${protocolPort?.protocol ?? ''} ${protocolPort?.port ?? ''}`;
    const own = protocolPort && services.get(`${address} ${end}`);
    const isServicePort =
      protocolPort !== undefined && ports.has(`${address} ${end}`) && ({ isServicePort: true } as const);
    const known = kinds.get(address);
    if (known !== undefined) return { kind: known, service: own ?? services.get(String(address)), ...isServicePort };
    if (who.isNode(address)) {
      const service = own ?? (protocolPort && services.get(`* ${end}`));
      const isNodePort =
        protocolPort !== undefined &&
        (service !== undefined || ports.has(`* ${end}`) || virtual.has(`${address} ${end}`));
      return isNodePort ? { kind: 'nodePort', service, isServicePort: true } : { kind: 'node', service };
    }
    return { kind: who.isPod(address) ? 'pod' : 'other', service: own };
  };
}

function addressKinds(all: BehaviourSide['named'], mentions: readonly Mention[]): ReadonlyMap<Value, AddressKind> {
  const kinds = new Map<Value, AddressKind>();
  for (const { address, kind } of all) {
    if (address !== undefined && kind !== 'nodePort' && !kinds.has(address)) kinds.set(address, kind);
  }
  const given = new Set(kinds.keys());
  for (const mention of mentions) {
    const { address } = mention;
    if (address === undefined || address.first !== address.last || given.has(address.first)) continue;
    const kind = kindOf(mention);
    const known = kinds.get(address.first);
    // One side may say more: nftables mode does not mark load-balancer IPs.
    const isBetter = known === undefined || (known === 'externalIP' && kind === 'loadBalancerIP');
    if (kind !== undefined && (isBetter || kind === 'clusterIP')) kinds.set(address.first, kind);
  }
  return kinds;
}

/** From kube-proxy's comments, its names of ipsets, sets and maps, and the places of its rules. */
function kindOf({ label = '', origin }: Mention): AddressKind | undefined {
  const set = proxySetKind(label) ?? '';
  if (label.endsWith(' cluster IP') || set.startsWith('CLUSTER-IP')) return 'clusterIP';
  if (label.endsWith(' loadbalancer IP') || set.startsWith('LOAD-BALANCER')) return 'loadBalancerIP';
  if (label.endsWith(' external IP') || set.startsWith('EXTERNAL-IP')) return 'externalIP';
  if (origin.kind === 'rule' && / has no (?:local )?endpoints$/.test(label)) {
    return origin.rule.chain.name === 'KUBE-SERVICES' ? 'clusterIP' : 'externalIP';
  }
  if (origin.kind !== 'element') return undefined;
  switch (origin.set) {
    case 'cluster-ips':
      return 'clusterIP';
    case 'firewall-ips':
      return 'loadBalancerIP';
    case 'service-ips':
      // Version 1.29 has no set of cluster IPs; a chain of the Service itself belongs to them.
      return /^(?:service|local)-/.test(label) ? 'clusterIP' : 'externalIP';
    default:
      return undefined;
  }
}
