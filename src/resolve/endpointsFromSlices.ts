import type { Family } from '../common/family.ts';
import type { EndpointSliceObject } from '../validate/manifests.ts';
import { type EndpointIndex, type EndpointState, endpointAt } from './endpointIndex.ts';

const families: Readonly<Record<string, Family>> = { IPv4: 'ipv4', IPv6: 'ipv6' };
const noHints: readonly string[] = [];

/**
 * Adds the endpoints of one EndpointSlice as kube-proxy reads it: only the first address of each entry, ready and
 * serving unless it says no. FQDN slices mean nothing to it.
 */
export function endpointsFromSlice(slice: EndpointSliceObject, nodeName: string, index: EndpointIndex): void {
  const family = families[slice.addressType];
  if (family === undefined) return;
  for (const endpoint of slice.endpoints ?? []) {
    const ip = endpoint.addresses[0];
    if (ip === undefined) continue;
    const { conditions } = endpoint;
    const zones = endpoint.hints?.forZones;
    const nodes = endpoint.hints?.forNodes;
    const state: EndpointState = {
      ip,
      isReady: conditions?.ready ?? true,
      isServing: conditions?.serving ?? true,
      isTerminating: conditions?.terminating ?? false,
      isLocal: endpoint.nodeName === nodeName,
      zoneHints: zones ? zones.map((zone) => zone.name) : noHints,
      nodeHints: nodes ? nodes.map((node) => node.name) : noHints,
    };
    for (const port of slice.ports ?? []) {
      if (!port.port) continue;
      index.add(family, port.name ?? '', port.protocol ?? 'TCP', endpointAt(state, port.port));
    }
  }
}
