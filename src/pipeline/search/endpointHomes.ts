import { canonicalIp } from '../../common/addresses/ip.ts';
import type { EndpointAddressObject, Manifests } from '../../validate/kinds/manifests.ts';
import { sliceEndpoints } from '../../validate/shown/sliceEndpoints.ts';

/** What objects show about an endpoint's address apart from its Service. */
export interface EndpointHome {
  /** Lower case. */
  readonly node?: string;
  /** `namespace/name`. */
  readonly pod?: string;
}

/**
 * Where endpoints run and which Pods they are, by address, according to EndpointSlices and Endpoints. `of`: the wanted
 * facts; no slice that was read ahead is read again for nodes.
 */
export function endpointHomes(
  { endpointSlices, endpoints }: Pick<Manifests, 'endpointSlices' | 'endpoints'>,
  of: 'nodes' | 'nodes and Pods',
): ReadonlyMap<string, EndpointHome> {
  const homes = new Map<string, EndpointHome>();
  const add = (ip: string, namespace: string, { nodeName, targetRef }: Omit<EndpointAddressObject, 'ip'>): void => {
    const address = canonicalIp(ip);
    if (address === undefined) return;
    const isPod = targetRef?.kind === 'Pod' && targetRef.name;
    homes.set(address, {
      ...homes.get(address),
      ...(nodeName && { node: nodeName.toLowerCase() }),
      ...(isPod && { pod: `${namespace}/${targetRef.name}` }),
    });
  };
  for (const { value } of endpoints) {
    const all = (value.subsets ?? []).flatMap((subset) => [
      ...(subset.addresses ?? []),
      ...(subset.notReadyAddresses ?? []),
    ]);
    for (const { ip, ...rest } of all) add(ip, value.metadata.namespace ?? 'default', rest);
  }
  for (const { value } of endpointSlices) {
    for (const { addresses, ...rest } of of === 'nodes' ? sliceEndpoints(value) : (value.endpoints ?? [])) {
      for (const ip of addresses) add(ip, value.metadata.namespace ?? 'default', rest);
    }
  }
  return homes;
}
