import { type Family, familyNames } from '../../common/addresses/family.ts';
import type { ImportContext } from './importContext.ts';
import type { ImportedEndpoint } from './importedEndpoints.ts';
import { type ImportedManifest, remarkBook } from './manifest.ts';
import type { GroupPort, ServiceGroup } from './serviceGroup.ts';

/** The API takes so many endpoints in one slice. */
const mostEndpoints = 1000;

/**
 * The EndpointSlices of a Service in one family. Ports with the same endpoints share a slice, as the endpoint-slice
 * controller has it; where endpoints of one port have several port numbers, each run of a number is a slice.
 * kube-proxy walks slices by their names, so these keep the order of the endpoints.
 */
export function sliceManifests(
  group: ServiceGroup,
  family: Family,
  shown: readonly { readonly port: GroupPort; readonly endpoints: readonly ImportedEndpoint[] }[],
  context: ImportContext,
): readonly ImportedManifest[] {
  const parts = new Map<string, SlicePart>();
  for (const { port, endpoints } of shown) {
    for (const [at, run] of runsOf(endpoints).entries()) {
      const key = shown.length === 1 ? String(at) : `${at} ${run.map(signature).join()}`;
      const own = parts.get(key) ?? { endpoints: run, ports: [] };
      parts.set(key, { ...own, ports: [...own.ports, { port, number: run[0]?.port }] });
    }
  }
  const all = [...parts.values()];
  const digits = String(all.length).length;
  return all.map((part, at) => {
    const suffix = all.length === 1 ? '' : `-${String(at + 1).padStart(digits, '0')}`;
    return sliceManifest(group, family, `${group.name}-${family}${suffix}`, part, context);
  });
}

interface SlicePart {
  readonly endpoints: readonly ImportedEndpoint[];
  /** Without a number: the port has no endpoints. */
  readonly ports: readonly { readonly port: GroupPort; readonly number: number | undefined }[];
}

function runsOf(endpoints: readonly ImportedEndpoint[]): readonly (readonly ImportedEndpoint[])[] {
  const number = endpoints[0]?.port;
  if (endpoints.length <= mostEndpoints && endpoints.every(({ port }) => port === number)) return [endpoints];
  const runs: ImportedEndpoint[][] = [[]];
  for (const endpoint of endpoints) {
    const run = runs.at(-1) as ImportedEndpoint[];
    const isOther = run.length > 0 && run[0]?.port !== endpoint.port;
    if (isOther || run.length === mostEndpoints) runs.push([endpoint]);
    else run.push(endpoint);
  }
  return runs;
}

function signature({ ip, state, node, hint }: ImportedEndpoint): string {
  return `${ip} ${state} ${node} ${hint}`;
}

function sliceManifest(
  { namespace, name: service }: ServiceGroup,
  family: Family,
  name: string,
  part: SlicePart,
  context: ImportContext,
): ImportedManifest {
  const remarks = remarkBook();
  const endpoints = part.endpoints.map((endpoint) => {
    const value = endpointValue(endpoint, context);
    if (endpoint.isMadeUp)
      remarks.add(value, 'addresses', 'made up: there are endpoints on other nodes, and no rule leads to them');
    return value;
  });
  const ports = part.ports.map(({ port: { name: portName, protocol, port }, number }) => ({
    name: portName,
    protocol,
    port: number ?? port ?? 1,
  }));
  const value = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace, name, labels: { 'kubernetes.io/service-name': service } },
    addressType: familyNames[family],
    endpoints,
    ports,
  };
  return { value, remarks: remarks.all };
}

function endpointValue(
  { ip, state, node, hint }: ImportedEndpoint,
  { node: own, otherNode }: ImportContext,
): Record<string, unknown> {
  return {
    addresses: [ip],
    ...(state && conditions[state]),
    ...(node && { nodeName: node === 'here' ? own : otherNode }),
    ...(hint && { hints: { forZones: [{ name: hint === 'here' ? zones.here : zones.elsewhere }] } }),
  };
}

const conditions = {
  terminating: { conditions: { ready: false, serving: true, terminating: true } },
  notReady: { conditions: { ready: false, serving: false } },
} as const;

/** Names of zones, which no rule shows. */
export const zones = { here: 'zone-of-this-node', elsewhere: 'another-zone' } as const;
