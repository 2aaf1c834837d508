import { firstFew } from '../../common/text/firstFew.ts';
import type { Endpoint } from '../../model/endpoint.ts';
import type { ServicePort } from '../../model/servicePort.ts';
import { type EndpointIndex, endpointIndex } from '../../resolve/endpoints/endpointIndex.ts';
import type { EndpointSources } from '../../resolve/endpoints/endpointSources.ts';
import { endpointsFromEndpoints } from '../../resolve/endpoints/endpointsFromEndpoints.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { EndpointsObject, Manifests } from '../../validate/kinds/manifests.ts';
import type { ObjectProblem } from '../objectProblem.ts';

/**
 * K8N904: Services whose Endpoints object and EndpointSlices hold different addresses. `servicePorts` are those of the
 * slices where a Service has any. An Endpoints object holds one family, no terminating Pod, and 1,000 addresses at most.
 */
export function mirroredEndpoints(
  { endpoints, endpointSlices }: Pick<Manifests, 'endpoints' | 'endpointSlices'>,
  sources: EndpointSources,
  servicePorts: readonly ServicePort[],
): readonly ObjectProblem[] {
  if (endpoints.length === 0 || endpointSlices.length === 0) return [];
  const [mirrors, slices] = [sources.endpoints(), sources.slices()];
  const indexes = new Map<string, EndpointIndex>();
  const indexOf = (name: string, { value }: Manifest<EndpointsObject>) => {
    let index = indexes.get(name);
    if (index === undefined) {
      index = endpointIndex();
      endpointsFromEndpoints(value, '', index);
      indexes.set(name, index);
    }
    return index;
  };
  const problems: ObjectProblem[] = [];
  const told = new Set<string>();
  for (const port of servicePorts) {
    const name = `${port.namespace}/${port.name}`;
    const mirror = mirrors.get(name);
    if (mirror === undefined || !slices.has(name) || told.has(name) || isCut(mirror.value.metadata.annotations))
      continue;
    const index = indexOf(name, mirror);
    const holdsOther = index.of(port.family === 'ipv4' ? 'ipv6' : 'ipv4', port.portName, port.protocol).length > 0;
    const mirrored = index.of(port.family, port.portName, port.protocol);
    if (mirrored.length === 0 && holdsOther) continue;
    const differences = differencesOf(mirrored, port.endpoints);
    if (differences.length === 0) continue;
    told.add(name);
    problems.push({
      code: 'K8N904',
      what: differences.join('; '),
      service: port.portName === '' ? name : `${name}:${port.portName}`,
      places: [mirror.origin, port.origin],
    });
  }
  return problems;
}

/** The endpoints controller names what it had to leave out here. */
function isCut(annotations: Readonly<Record<string, string>> | null | undefined): boolean {
  return annotations?.['endpoints.kubernetes.io/over-capacity'] !== undefined;
}

function differencesOf(mirrored: readonly Endpoint[], sliced: readonly Endpoint[]): readonly string[] {
  const ready = (endpoints: readonly Endpoint[]) => {
    const states = new Map<string, boolean>();
    for (const { address, isReady, isTerminating } of endpoints) {
      if (!isTerminating && !states.has(address)) states.set(address, isReady);
    }
    return states;
  };
  const [ofMirror, ofSlices] = [ready(mirrored), ready(sliced)];
  const only = (from: ReadonlyMap<string, boolean>, other: ReadonlyMap<string, boolean>) =>
    [...from.keys()].filter((address) => !other.has(address));
  const other = [...ofMirror].filter(([address, isReady]) => (ofSlices.get(address) ?? isReady) !== isReady);
  return [
    ...listed('only in Endpoints', only(ofMirror, ofSlices)),
    ...listed('only in slices', only(ofSlices, ofMirror)),
    ...listed(
      'ready in one only',
      other.map(([address]) => address),
    ),
  ];
}

function listed(what: string, addresses: readonly string[]): readonly string[] {
  if (addresses.length === 0) return [];
  return [`${what}: ${firstFew(addresses, 3)}`];
}
