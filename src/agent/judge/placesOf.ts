import type { StoredObject } from '../follow/objectStore.ts';
import type { ServicePlaces } from '../part/textParts.ts';

/** The addresses of some Services and of their endpoints, by what their objects say or said. */
export function placesOf(services: ReadonlySet<string>, objects: readonly StoredObject[]): ServicePlaces {
  const addresses = new Set<string>();
  const endpoints = new Set<string>();
  for (const { kind, text, service } of objects) {
    if (service === undefined) continue;
    const value = JSON.parse(text) as Spoken;
    if (kind === 'Service')
      for (const address of addressesOf(value)) if (address !== '' && address !== 'None') addresses.add(address);
    const parts = kind === 'EndpointSlice' ? [value] : kind === 'Endpoints' ? listOf(value.subsets) : [];
    for (const { endpoints: own, addresses: plain, ports } of parts) {
      const given = [
        ...listOf(own).flatMap((one) => listOf(one.addresses)),
        ...listOf(plain).map((one) => (typeof one === 'string' ? one : one.ip)),
      ];
      for (const address of given) for (const { port } of listOf(ports)) endpoints.add(`${address} ${port}`);
    }
  }
  return { services, addresses, endpoints };
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
