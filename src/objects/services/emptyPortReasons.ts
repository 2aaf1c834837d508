import type { ServicePort } from '../../model/servicePort.ts';
import type { EndpointSources } from '../../resolve/endpoints/endpointSources.ts';
import { isSeenSlice } from '../../resolve/endpoints/isSeenSlice.ts';
import { hiddenBySome } from '../../resolve/hidingLabels.ts';
import { podAddresses } from '../../resolve/podAddresses.ts';
import { isFinished } from '../../validate/isFinished.ts';
import type { Manifests, ServiceObject } from '../../validate/kinds/manifests.ts';
import { hasEndpoints } from '../../validate/shown/hasEndpoints.ts';

/** Why Service ports have no endpoint at all, by port: what K8N501 says beside it. */
export function emptyPortReasons(
  manifests: Pick<Manifests, 'services' | 'pods'>,
  sources: EndpointSources,
  servicePorts: readonly ServicePort[],
): ReadonlyMap<ServicePort, string> {
  const empty = servicePorts.filter(({ endpoints }) => endpoints.length === 0);
  if (empty.length === 0) return new Map();
  const [slices, endpoints] = [sources.slices(), sources.endpoints()];
  const services = new Map(manifests.services.map(({ value }) => [nameOf(value), value]));
  return new Map(empty.map((port) => [port, reason(port)]));

  function reason(port: ServicePort): string {
    const name = `${port.namespace}/${port.name}`;
    const ownSlices = slices.get(name)?.filter((slice) => isSeenSlice(slice, hiddenBySome));
    const used = (ownSlices ?? []).filter(({ value }) => hasEndpoints(value));
    const ofFamily = used.filter(({ value }) => value.addressType.toLowerCase() === port.family);
    if (ofFamily.length > 0) return 'its EndpointSlices have endpoints, but no port of this name and protocol';
    if (used.length > 0) return 'its EndpointSlices hold other kinds of addresses only';
    if (ownSlices === undefined && (endpoints.get(name)?.value.subsets ?? []).length > 0) {
      return 'its Endpoints hold no port of this name and protocol in this family';
    }
    const service = services.get(name);
    const selector = service?.spec.selector ?? {};
    if (Object.keys(selector).length === 0) return 'it has no selector, and no endpoints were created for it';
    if (manifests.pods.length === 0)
      return ownSlices ? 'its EndpointSlices are empty' : 'no EndpointSlices or Pods were given';
    const selected = sources
      .pods()
      .select(port.namespace, selector)
      .map(({ value }) => value);
    if (selected.length === 0) return 'its selector selects no Pod';
    const withAddress = selected.filter((pod) => podAddresses(pod).length > 0);
    const isOne = selected.length === 1;
    const those = isOne ? 'the Pod that it selects' : `the ${selected.length} Pods that it selects`;
    if (withAddress.length === 0) return isOne ? `${those} has no address` : `none of ${those} has an address`;
    if (ownSlices !== undefined) return 'its EndpointSlices are empty, although it selects Pods';
    const running = withAddress.filter((pod) => !isFinished(pod));
    if (running.length === 0) return `${those} ${isOne ? 'has' : 'have'} ended`;
    return `${those} ${isOne ? 'has' : 'have'} no such port, or no address of this family`;
  }
}

function nameOf({ metadata }: ServiceObject): string {
  return `${metadata.namespace ?? 'default'}/${metadata.name}`;
}
