import { familyOf } from '../../common/addresses/ip.ts';
import type { EndpointAddressObject, EndpointsObject } from '../../validate/kinds/manifests.ts';
import { type EndpointIndex, endpointAt } from './endpointIndex.ts';

const noHints: readonly string[] = [];

/** Adds the endpoints of a legacy Endpoints object as the mirroring controller turns it into slices. */
export function endpointsFromEndpoints(endpoints: EndpointsObject, nodeName: string, index: EndpointIndex): void {
  for (const subset of endpoints.subsets ?? []) {
    add(subset.addresses ?? [], true);
    add(subset.notReadyAddresses ?? [], false);

    function add(addresses: readonly EndpointAddressObject[], isReady: boolean): void {
      for (const address of addresses) {
        const family = familyOf(address.ip);
        if (family === undefined) continue;
        const state = {
          ip: address.ip,
          isReady,
          isServing: isReady,
          isTerminating: false,
          isLocal: address.nodeName === nodeName,
          zoneHints: noHints,
          nodeHints: noHints,
        };
        for (const port of subset.ports ?? []) {
          index.add(family, port.name ?? '', port.protocol ?? 'TCP', endpointAt(state, port.port));
        }
      }
    }
  }
}
