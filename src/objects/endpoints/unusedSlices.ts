import type { Family } from '../../common/addresses/family.ts';
import type { ServicePort } from '../../model/servicePort.ts';
import type { EndpointSources } from '../../resolve/endpoints/endpointSources.ts';
import { isSeenSlice } from '../../resolve/endpoints/isSeenSlice.ts';
import { serviceNameLabel } from '../../resolve/endpoints/serviceNameLabel.ts';
import { hiddenBySome } from '../../resolve/hidingLabels.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { EndpointSliceObject, Manifests } from '../../validate/kinds/manifests.ts';
import { hasEndpoints } from '../../validate/shown/hasEndpoints.ts';
import type { ObjectProblem } from '../objectProblem.ts';

/**
 * K8N901: EndpointSlices that kube-proxy reads and uses for nothing: without the label that names their Service, with
 * ports that the Service has not, or with addresses of a family that it has not.
 */
export function unusedSlices(
  { endpointSlices }: Pick<Manifests, 'endpointSlices'>,
  sources: EndpointSources,
  servicePorts: readonly ServicePort[],
): readonly ObjectProblem[] {
  const problems: ObjectProblem[] = [];
  for (const slice of endpointSlices) {
    const { labels } = slice.value.metadata;
    if (labels?.[serviceNameLabel] || !isSeenSlice(slice, hiddenBySome) || !isUsed(slice)) continue;
    const seen = `EndpointSlice ${nameOf(slice)} has no label ${serviceNameLabel}: no Service uses it`;
    problems.push({ code: 'K8N901', what: seen, names: { slice: nameOf(slice) }, places: [slice.origin] });
  }
  const services = shapes(servicePorts);
  for (const [name, slices] of sources.slices()) {
    const service = services.get(name);
    if (service === undefined) continue;
    for (const slice of slices) {
      const problem = isSeenSlice(slice, hiddenBySome) && isUsed(slice) ? problemOf(slice.value, service) : undefined;
      if (problem === undefined) continue;
      const seen = `EndpointSlice ${nameOf(slice)} ${problem}`;
      const names = { slice: nameOf(slice) };
      const places = [slice.origin, service.origin];
      problems.push({ code: 'K8N901', what: seen, fix: fixOfNamed, names, service: name, places });
    }
  }
  return problems;
}

/** It names its Service already. */
const fixOfNamed =
  'Give it ports with the names and protocols of the Service’s ports, and addresses of a family that the Service has: `kubectl -n NAMESPACE edit endpointslice SLICE`. One that a controller writes follows the Service by itself.';

/** What a Service's slices must fit. */
interface Shape {
  readonly families: Family[];
  /** `TCP/web`; `TCP/` for an unnamed port. */
  readonly ports: Set<string>;
  readonly origin: ServicePort['origin'];
}

function shapes(servicePorts: readonly ServicePort[]): ReadonlyMap<string, Shape> {
  const byService = new Map<string, Shape>();
  for (const { namespace, name, family, protocol, portName, origin } of servicePorts) {
    const key = `${namespace}/${name}`;
    let shape = byService.get(key);
    if (shape === undefined) {
      shape = { families: [], ports: new Set(), origin };
      byService.set(key, shape);
    }
    if (!shape.families.includes(family)) shape.families.push(family);
    shape.ports.add(`${protocol}/${portName}`);
  }
  return byService;
}

/** An FQDN slice means nothing to kube-proxy, and an empty one takes nothing away. */
function isUsed({ value }: Manifest<EndpointSliceObject>): boolean {
  return value.addressType !== 'FQDN' && hasEndpoints(value);
}

function problemOf({ addressType, ports }: EndpointSliceObject, service: Shape): string | undefined {
  const family = addressType === 'IPv6' ? 'ipv6' : 'ipv4';
  if (!service.families.includes(family)) return `holds ${addressType} addresses, and the Service has no such address`;
  const given = (ports ?? []).map(({ name, protocol }) => `${protocol ?? 'TCP'}/${name ?? ''}`);
  const unknown = given.filter((port) => !service.ports.has(port));
  if (given.length === 0) return 'has endpoints and no ports';
  if (unknown.length === 0) return undefined;
  return `has ${unknown.map(portText).join(' and ')}; the Service has ${[...service.ports].map(portText).join(', ')}`;
}

function portText(port: string): string {
  const [protocol, name] = port.split('/');
  return name === '' ? `an unnamed ${protocol} port` : `${protocol} port ${name}`;
}

function nameOf({ value: { metadata } }: Manifest<EndpointSliceObject>): string {
  return `${metadata.namespace ?? 'default'}/${metadata.name}`;
}
