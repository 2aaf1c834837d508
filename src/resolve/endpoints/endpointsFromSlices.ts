import type { Family } from '../../common/addresses/family.ts';
import { compareBytes } from '../../common/compareBytes.ts';
import { columnsOf } from '../../common/proxy/endpointColumns.ts';
import type { Endpoint } from '../../model/endpoint.ts';
import type { EndpointSliceObject } from '../../validate/kinds/manifests.ts';
import { type SliceEndpoint, sliceEndpoints } from '../../validate/shown/sliceEndpoints.ts';
import { type EndpointIndex, endpointAt } from './endpointIndex.ts';

const families: Readonly<Record<string, Family>> = { IPv4: 'ipv4', IPv6: 'ipv6' };
const noHints: readonly string[] = [];

/**
 * Adds the endpoints of one EndpointSlice as kube-proxy reads it: only the first address of each entry, ready and
 * serving unless it says no. kube-proxy ignores FQDN slices. `sorts`: kube-proxy sorts the entries first, which matters
 * if several have one address.
 */
export function endpointsFromSlice(
  slice: EndpointSliceObject,
  nodeName: string,
  index: EndpointIndex,
  sorts: boolean,
): void {
  const family = families[slice.addressType];
  if (family === undefined) return;
  const ports: OpenPort[] = [];
  for (const { port, name, protocol } of slice.ports ?? []) {
    if (port) ports.push({ port, endpoints: index.open(family, name ?? '', protocol ?? 'TCP') });
  }
  if (sorts && hasRepeats(slice)) {
    const entries = [...sliceEndpoints(slice)].sort((a, b) => compareBytes(sortKey(a), sortKey(b)));
    for (const endpoint of entries) add(endpoint.addresses[0], endpoint, nodeName, ports);
    return;
  }
  // Not by sliceEndpoints: an object for each endpoint would take noticeable time in a large cluster.
  const columns = columnsOf(slice);
  if (columns === undefined) {
    for (const endpoint of slice.endpoints ?? []) add(endpoint.addresses[0], endpoint, nodeName, ports);
    return;
  }
  const { start, end, addresses, stateOf, states } = columns;
  for (let at = start; at < end; at += 1) {
    add(addresses[at], states[stateOf[at] as number] as SliceEndpointState, nodeName, ports);
  }
}

/**
 * An address for which several entries with one key differ, in a slice that kube-proxy sorts: up to 12 entries Go's
 * sort keeps their order, with more it does not (sort.Sort, Go 1.22). Undefined: there is none.
 */
export function addressByChance(slice: EndpointSliceObject): string | undefined {
  if (!hasRepeats(slice)) return undefined;
  const entries = [...sliceEndpoints(slice)];
  if (entries.length <= longestStableSort) return undefined;
  const known = new Map<string, string>();
  for (const { addresses, ...state } of entries) {
    const [key, text] = [addresses.join(','), JSON.stringify(state)];
    if (known.has(key) && known.get(key) !== text) return addresses[0];
    known.set(key, text);
  }
  return undefined;
}

const longestStableSort = 12;

/** Several entries have the same address. */
export function hasRepeats(slice: EndpointSliceObject): boolean {
  const columns = columnsOf(slice);
  const first =
    columns === undefined
      ? (slice.endpoints ?? []).map(({ addresses }) => addresses[0])
      : columns.addresses.slice(columns.start, columns.end);
  return new Set(first).size < first.length;
}

function sortKey({ addresses }: SliceEndpoint): string {
  return addresses.join(',');
}

interface OpenPort {
  readonly port: number;
  readonly endpoints: Endpoint[];
}

type SliceEndpointState = Omit<SliceEndpoint, 'addresses'>;

function add(
  ip: string | undefined,
  { conditions, hints, nodeName }: SliceEndpointState,
  ownNode: string,
  ports: readonly OpenPort[],
): void {
  if (ip === undefined) return;
  const zones = hints?.forZones;
  const nodes = hints?.forNodes;
  const state = {
    ip,
    isReady: conditions?.ready ?? true,
    isServing: conditions?.serving ?? true,
    isTerminating: conditions?.terminating ?? false,
    isLocal: nodeName === ownNode,
    zoneHints: zones ? zones.map((zone) => zone.name) : noHints,
    nodeHints: nodes ? nodes.map((node) => node.name) : noHints,
  };
  for (const { port, endpoints } of ports) endpoints.push(endpointAt(state, port));
}
