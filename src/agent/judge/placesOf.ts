import type { StoredObject } from '../follow/objectStore.ts';
import { isFlowTo } from '../part/flows.ts';
import type { ServicePlaces } from '../part/textParts.ts';

/** The addresses of some Services and of their endpoints, by what their objects say or said. */
export function placesOf(services: ReadonlySet<string>, objects: readonly StoredObject[]): ServicePlaces {
  const addresses = new Set<string>();
  const endpoints = new Set<string>();
  const nodePorts = new Set<string>();
  for (const { kind, text, service } of objects) {
    if (service === undefined) continue;
    const value = JSON.parse(text) as Spoken;
    if (kind === 'Service') {
      for (const address of addressesOf(value)) if (address !== '' && address !== 'None') addresses.add(address);
      for (const { nodePort = 0 } of listOf(value.spec?.ports)) if (nodePort > 0) nodePorts.add(`${nodePort}`);
    }
    const parts = kind === 'EndpointSlice' ? [value] : kind === 'Endpoints' ? listOf(value.subsets) : [];
    for (const { endpoints: own, addresses: plain, ports } of parts) {
      const given = [
        ...listOf(own).flatMap((one) => listOf(one.addresses)),
        ...listOf(plain).map((one) => (typeof one === 'string' ? one : one.ip)),
      ];
      for (const address of given) for (const { port } of listOf(ports)) endpoints.add(`${address} ${port}`);
    }
  }
  return { services, addresses, nodePorts, endpoints };
}

/** The Services that some connections go to: `10.96.0.10 53`. */
export function servicesOfFlows(flows: ReadonlySet<string>, objects: readonly StoredObject[]): readonly string[] {
  // A Service without any of these words need not be parsed.
  const words = [...flows].flatMap((to) => {
    const [address = '', port = ''] = to.split(' ');
    return [`"${address}"`, `"nodePort":${port}`];
  });
  return objects.flatMap((object) => {
    const { kind, service, text } = object;
    if (kind !== 'Service' || service === undefined || !words.some((word) => text.includes(word))) return [];
    const places = placesOf(new Set(), [object]);
    return [...flows].some((to) => isFlowTo(to, places)) ? service : [];
  });
}

/** Whether an object belongs to a part of a node; rules of policies are compared with the whole. */
export function isOfPart({ kind, service }: StoredObject, services: ReadonlySet<string>): boolean {
  return service === undefined ? !ofPolicies.has(kind) : services.has(service);
}

const ofPolicies: ReadonlySet<string> = new Set(['NetworkPolicy', 'Namespace', 'Pod']);

/** What the fields of an object are when they are as they should be. */
interface Spoken {
  readonly spec?: {
    readonly clusterIP?: string;
    readonly clusterIPs?: readonly string[];
    readonly externalIPs?: readonly string[];
    readonly ports?: readonly { readonly nodePort?: number }[];
  };
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly { readonly ip?: string }[] } };
  readonly subsets?: readonly Spoken[];
  readonly endpoints?: readonly { readonly addresses?: readonly string[] }[];
  readonly addresses?: readonly (string | { readonly ip: string })[];
  readonly ports?: readonly { readonly port?: number }[];
}

function addressesOf({ spec, status }: Spoken): readonly string[] {
  const ingress = listOf(status?.loadBalancer?.ingress).flatMap(({ ip }) => ip ?? []);
  return [spec?.clusterIP ?? '', ...listOf(spec?.clusterIPs), ...listOf(spec?.externalIPs), ...ingress];
}

function listOf<Item>(list: readonly Item[] | null | undefined): readonly Item[] {
  return Array.isArray(list) ? list : [];
}
