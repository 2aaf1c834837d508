import { base32Prefix } from '../../common/base32.ts';
import type { Endpoint } from '../../model/endpoint.ts';
import type { ServicePlan } from '../../plan/plan.ts';

/** Names for one service port in the table. Each name is hashed once. */
export interface ServiceNames {
  readonly service: string;
  readonly local: string;
  readonly external: string;
  readonly firewall: string;
  /** By `Endpoint.address`. Made on first use: most Services in newer versions need none, and each is a hash. */
  readonly endpoints: () => ReadonlyMap<string, NftEndpointNames>;
}

/** Names without those of endpoints, which would require a hash for every endpoint. */
export type PolicyNames = Omit<ServiceNames, 'endpoints'>;

export interface NftEndpointNames {
  readonly chain: string;
  readonly affinity: string;
}

export function serviceNames({ port, protocol, reachable }: ServicePlan): ServiceNames {
  const plain = `${port.namespace}/${port.name}/${protocol}/${port.portName}`;
  const base = hashedName(plain);
  let endpoints: Map<string, NftEndpointNames> | undefined;
  return {
    service: `service-${base}`,
    local: `local-${base}`,
    external: `external-${base}`,
    firewall: `firewall-${base}`,
    endpoints: () => {
      endpoints ??= new Map(reachable.map((endpoint) => [endpoint.address, endpointNames(plain, endpoint)]));
      return endpoints;
    },
  };
}

/** nft names cannot hold the colons of an IPv6 address. */
function endpointNames(plain: string, endpoint: Endpoint): NftEndpointNames {
  const base = hashedName(`${plain}__${endpoint.ip.replaceAll(':', '.')}/${endpoint.port}`);
  return { chain: `endpoint-${base}`, affinity: `affinity-${base}` };
}

/** kube-proxy keeps names below the kernel's 255 characters; its limit leaves room for the longest prefix. */
const longest = 240;

/** The hash distinguishes cut names, and the plain text helps people who read the rules. */
function hashedName(plain: string): string {
  // Names were checked before; should one slip through, nft refuses a name with a question mark and loads nothing.
  const safe = nameCharacters.test(plain) ? plain : plain.replace(otherCharacters, '?');
  const name = `${base32Prefix(plain, 8)}-${safe}`;
  return name.length > longest ? `${name.slice(0, longest - 3)}...` : name;
}

const nameCharacters = /^[A-Za-z0-9._/-]+$/;
const otherCharacters = /[^A-Za-z0-9._/-]/g;
