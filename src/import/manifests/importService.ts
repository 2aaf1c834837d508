import { cidrContains, parseCidr } from '../../common/addresses/cidr.ts';
import type { Family } from '../../common/addresses/family.ts';
import { isOrdinaryAddress } from '../../validate/fields/addresses.ts';
import type { ImportContext } from './importContext.ts';
import { type ImportedEndpoint, importedEndpoints } from './importedEndpoints.ts';
import type { ImportedService, PortEndpoints } from './importedService.ts';
import type { ImportedManifest } from './manifest.ts';
import type { ServiceGroup } from './serviceGroup.ts';
import { serviceManifest } from './serviceManifest.ts';
import { sliceManifests } from './sliceManifests.ts';

export function importService(group: ServiceGroup, context: ImportContext): ImportedService {
  const facts = { usesHints: false, lacksEndpoints: false, hasMadeUpEndpoints: false, special: 0, placeless: 0 };
  const endpoints = group.ports.flatMap((port) =>
    port.seen.map((seen): PortEndpoints => {
      const { family } = seen;
      const all = importedEndpoints(seen, context.plan)?.map((one) => placed(one, family, context));
      if (all === undefined || seen.lacksEndpoints) facts.lacksEndpoints = true;
      const isLegal = all?.every(({ ip }) => isOrdinaryAddress(ip, family)) ?? true;
      const own = isLegal ? all : all?.filter(({ ip }) => isOrdinaryAddress(ip, family));
      facts.special += (all?.length ?? 0) - (own?.length ?? 0);
      for (const { hint, isMadeUp, node } of own ?? []) {
        if (hint !== undefined) facts.usesHints = true;
        if (isMadeUp) facts.hasMadeUpEndpoints = true;
        if (node === undefined) facts.placeless += 1;
      }
      return { port, family, endpoints: own };
    }),
  );
  return { group, endpoints, ...facts };
}

/** Where no rule tells which node an endpoint is on, the range of the node's Pods does. */
function placed(endpoint: ImportedEndpoint, family: Family, { podCIDRs, nodeIPs }: ImportContext): ImportedEndpoint {
  if (endpoint.node !== undefined) return endpoint;
  const ranges = podCIDRs.filter((cidr) => parseCidr(cidr)?.family === family);
  if (ranges.length === 0) return endpoint;
  const isHere = endpoint.ip === nodeIPs[family] || ranges.some((cidr) => cidrContains(cidr, endpoint.ip));
  return { ...endpoint, node: isHere ? 'here' : 'elsewhere' };
}

/** The Service, then its EndpointSlices. */
export function serviceManifests(service: ImportedService, context: ImportContext): readonly ImportedManifest[] {
  const { group, endpoints } = service;
  const slices = (['ipv4', 'ipv6'] as const).flatMap((family) => {
    const own = endpoints.flatMap(({ port, family: of, endpoints: shown }) =>
      of === family && shown !== undefined ? { port, endpoints: shown } : [],
    );
    return own.length === 0 ? [] : sliceManifests(group, family, own, context);
  });
  return [serviceManifest(service, context), ...slices];
}
