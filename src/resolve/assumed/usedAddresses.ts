import { canonicalIp } from '../../common/addresses/ip.ts';
import type { Manifests } from '../../validate/kinds/manifests.ts';
import { sliceEndpoints } from '../../validate/shown/sliceEndpoints.ts';

/** Addresses that objects use, canonical: those of Nodes, Pods and endpoints. */
export function usedAddresses({
  nodes,
  pods,
  endpoints,
  endpointSlices,
}: Pick<Manifests, 'nodes' | 'pods' | 'endpoints' | 'endpointSlices'>): Set<string> {
  const used = new Set<string>();
  const add = (text: string | null | undefined) => {
    const ip = canonicalIp(text ?? '');
    if (ip !== undefined) used.add(ip);
  };
  for (const { value } of nodes) for (const { address } of value.status?.addresses ?? []) add(address);
  for (const { value } of pods) {
    for (const text of [value.status?.podIP, value.status?.hostIP]) add(text);
    for (const { ip } of value.status?.podIPs ?? []) add(ip);
  }
  for (const { value } of endpoints) {
    for (const { addresses, notReadyAddresses } of value.subsets ?? []) {
      for (const { ip } of [...(addresses ?? []), ...(notReadyAddresses ?? [])]) add(ip);
    }
  }
  for (const { value } of endpointSlices) {
    for (const { addresses } of sliceEndpoints(value)) for (const address of addresses) add(address);
  }
  return used;
}
