import { type Cidr, parseCidr } from '../../common/addresses/cidr.ts';
import { type Family, familyNames } from '../../common/addresses/family.ts';
import { canonicalIp, familyOf } from '../../common/addresses/ip.ts';
import { compareBytes } from '../../common/compareBytes.ts';
import { sha256 } from '../../common/sha256.ts';
import type { Origin, Report } from '../../diagnostics/diagnostic.ts';
import { originIn } from '../../diagnostics/originIn.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { NodeObject } from '../../validate/kinds/manifests.ts';
import type { Labels } from '../../validate/kinds/objectMeta.ts';

/** What routes depend on in one Node. */
export interface RouteNode {
  readonly name: string;
  /** The first InternalIP of each family. */
  readonly ips: ByFamily<string>;
  readonly podCIDRs: ByFamily<Cidr>;
  /** The address at which flannel can be reached: from an annotation, or the InternalIP. */
  readonly publicIPs: ByFamily<string>;
  /** What the addresses of Calico's VXLAN device are. */
  readonly tunnelAddresses: ByFamily<string>;
  /** Of flannel's VXLAN device; undefined: no annotation tells. */
  readonly vtepMACs: ByFamily<string>;
  readonly origin: Origin;
}

export type ByFamily<T> = Readonly<Record<Family, T | undefined>>;

/** Nodes that have an address, in byte order of their names. Those without are reported. */
export function readRouteNodes(nodes: readonly Manifest<NodeObject>[], report: Report): readonly RouteNode[] {
  const read: RouteNode[] = [];
  for (const node of nodes) {
    const one = readRouteNode(node, report);
    if (one.ips.ipv4 !== undefined || one.ips.ipv6 !== undefined) read.push(one);
    else {
      report({
        code: 'node-without-address',
        severity: 'warning',
        message: `Node ${one.name} has no InternalIP: nothing is routed to it`,
        at: [originIn(node.origin, ['status', 'addresses'])],
        hint: 'read the Node from the cluster: kubectl get nodes -o yaml',
      });
    }
  }
  return read.sort((a, b) => compareBytes(a.name, b.name));
}

/** The address of flannel's VXLAN device that is made up for a node: the same in every run, locally administered. */
export function assumedVtepMAC(node: string, family: Family): string {
  const hash = sha256(`k8snet-vtep/${family === 'ipv4' ? 4 : 6}/${node}`);
  const bytes = Array.from({ length: 6 }, (_, at) => Number.parseInt(hash.slice(2 * at, 2 * at + 2), 16));
  bytes[0] = ((bytes[0] ?? 0) & 0xfe) | 0x02;
  return bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(':');
}

/** A peer that has Pods of a family and no address of it. */
export function reportNoAddress(node: RouteNode, family: Family, report: Report): void {
  report({
    code: 'node-without-address',
    severity: 'warning',
    message: `Node ${node.name} has Pods but no InternalIP in ${familyNames[family]}: nothing is routed to it in that family`,
    at: [node.origin],
  });
}

const flannel = 'flannel.alpha.coreos.com';
const calico = 'projectcalico.org';

function readRouteNode({ value, origin }: Manifest<NodeObject>, report: Report): RouteNode {
  const { metadata, spec, status } = value;
  const internal = (status?.addresses ?? [])
    .filter(({ type }) => type === 'InternalIP')
    .map(({ address }) => canonicalIp(address))
    .filter((ip) => ip !== undefined);
  const ranges = spec?.podCIDRs && spec.podCIDRs.length > 0 ? spec.podCIDRs : spec?.podCIDR ? [spec.podCIDR] : [];
  const podCIDRs = ranges.map(parseCidr).filter((cidr) => cidr !== undefined);
  const annotated = (family: Family, keys: readonly string[]) =>
    annotatedAddress(metadata.annotations ?? {}, keys, family, origin, report);
  const ips = byFamily((family) => internal.find((ip) => familyOf(ip) === family));
  return {
    name: metadata.name,
    ips,
    podCIDRs: byFamily((family) => podCIDRs.find((cidr) => cidr.family === family)),
    publicIPs: byFamily((family) => annotated(family, publicIPKeys[family]) ?? ips[family]),
    tunnelAddresses: byFamily((family) => annotated(family, [tunnelAddressKeys[family]])),
    vtepMACs: byFamily((family) => vtepMAC(metadata.annotations?.[backendDataKeys[family]])),
    origin,
  };
}

const publicIPKeys: Readonly<Record<Family, readonly string[]>> = {
  ipv4: [`${flannel}/public-ip-overwrite`, `${flannel}/public-ip`],
  ipv6: [`${flannel}/public-ipv6-overwrite`, `${flannel}/public-ipv6`],
};

const backendDataKeys: Readonly<Record<Family, string>> = {
  ipv4: `${flannel}/backend-data`,
  ipv6: `${flannel}/backend-v6-data`,
};

const tunnelAddressKeys: Readonly<Record<Family, string>> = {
  ipv4: `${calico}/IPv4VXLANTunnelAddr`,
  ipv6: `${calico}/IPv6VXLANTunnelAddr`,
};

function byFamily<T>(make: (family: Family) => T | undefined): ByFamily<T> {
  return { ipv4: make('ipv4'), ipv6: make('ipv6') };
}

/** The first annotation that is an address of the family; invalid ones are reported and skipped. */
function annotatedAddress(
  annotations: Labels,
  keys: readonly string[],
  family: Family,
  origin: Origin,
  report: Report,
): string | undefined {
  for (const key of keys) {
    const text = Object.hasOwn(annotations, key) ? annotations[key] : undefined;
    if (!text) continue;
    const ip = canonicalIp(text);
    if (ip !== undefined && familyOf(ip) === family) return ip;
    report({
      code: 'bad-address',
      severity: 'warning',
      message: `annotation ${key} is not an ${familyNames[family]} address and is ignored`,
      at: [originIn(origin, ['metadata', 'annotations', key])],
    });
  }
  return undefined;
}

/** `VtepMAC` of flannel's JSON, in lower case; anything that is not six bytes in hexadecimal is not known. */
function vtepMAC(backendData: string | undefined): string | undefined {
  if (!backendData) return undefined;
  let data: unknown;
  try {
    data = JSON.parse(backendData);
  } catch {
    return undefined;
  }
  const mac = typeof data === 'object' && data !== null && 'VtepMAC' in data ? data.VtepMAC : undefined;
  return typeof mac === 'string' && /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i.test(mac) ? mac.toLowerCase() : undefined;
}
