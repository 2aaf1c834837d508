import type { Family } from '../../common/addresses/family.ts';
import { familyOf } from '../../common/addresses/ip.ts';
import type { EndpointOfService, PortOfEndpoint } from '../../model/service.ts';
import { isFinished } from '../../validate/isFinished.ts';
import type { Manifest } from '../../validate/kinds/manifest.ts';
import type { EndpointSliceObject, EndpointsObject, PodObject } from '../../validate/kinds/manifests.ts';
import { podAddresses } from '../podAddresses.ts';
import type { ResolvedService } from '../resolvedService.ts';
import type { EndpointSources } from './endpointSources.ts';
import { portOfPod } from './portOfPod.ts';

/**
 * The endpoints of a Service as DNS servers and load balancers see them: every address of a slice with its hostname and
 * Pod, whereas kube-proxy only takes the first address of an entry. `families`: those of the Pods' addresses, if the
 * endpoints come from Pods.
 */
export function endpointsOfService(
  service: ResolvedService,
  families: readonly Family[],
  sources: EndpointSources,
): readonly EndpointOfService[] {
  const key = `${service.namespace}/${service.name}`;
  const slices = sources.slices().get(key);
  if (slices !== undefined) return slices.flatMap(({ value }) => fromSlice(value));
  const endpoints = sources.endpoints().get(key);
  if (endpoints !== undefined) return fromEndpoints(endpoints.value);
  if (Object.keys(service.selector).length === 0) return [];
  return fromPods(service, families, sources.pods().select(service.namespace, service.selector));
}

function fromSlice({ endpoints, ports, addressType }: EndpointSliceObject): readonly EndpointOfService[] {
  if (addressType === 'FQDN') return [];
  const ownPorts = (ports ?? []).map(readPort);
  return (endpoints ?? []).flatMap(({ addresses, conditions, hostname, targetRef, nodeName }) =>
    addresses.map((address) => ({
      family: addressType === 'IPv6' ? ('ipv6' as const) : ('ipv4' as const),
      address,
      hostname: hostname ?? '',
      target: targetRef?.name ?? '',
      node: nodeName ?? '',
      isReady: conditions?.ready ?? true,
      ports: ownPorts,
    })),
  );
}

function fromEndpoints({ subsets }: EndpointsObject): readonly EndpointOfService[] {
  return (subsets ?? []).flatMap(({ addresses, notReadyAddresses, ports }) => {
    const ownPorts = (ports ?? []).map(readPort);
    return [addresses ?? [], notReadyAddresses ?? []].flatMap((list, index) =>
      list.map(({ ip, hostname, nodeName, targetRef }) => ({
        family: familyOf(ip) ?? 'ipv4',
        address: ip,
        hostname: hostname ?? '',
        target: targetRef?.name ?? '',
        node: nodeName ?? '',
        isReady: index === 0,
        ports: ownPorts,
      })),
    );
  });
}

function readPort(port: {
  readonly name?: string | null | undefined;
  readonly protocol?: 'TCP' | 'UDP' | 'SCTP' | null | undefined;
  readonly port?: number | null | undefined;
}): PortOfEndpoint {
  return { name: port.name ?? '', protocol: port.protocol ?? 'TCP', port: port.port || undefined };
}

/**
 * Like the endpoint-slice controller: one address for each family, and a hostname only for the Service that the
 * subdomain names.
 */
function fromPods(
  service: ResolvedService,
  families: readonly Family[],
  pods: readonly Manifest<PodObject>[],
): readonly EndpointOfService[] {
  const found: EndpointOfService[] = [];
  for (const { value: pod } of pods) {
    const { metadata, spec, status } = pod;
    if (isFinished(pod)) continue;
    const isRunning = status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
    const ports = service.ports.flatMap(({ name, protocol, targetPort }): readonly PortOfEndpoint[] => {
      const port = portOfPod(spec, targetPort, protocol);
      return port === undefined ? [] : [{ name, protocol, port }];
    });
    for (const family of families) {
      const address = podAddresses(pod).find((ip) => familyOf(ip) === family);
      if (address === undefined) continue;
      found.push({
        family,
        address,
        hostname: spec?.subdomain === service.name ? (spec.hostname ?? '') : '',
        target: metadata.name,
        node: spec?.nodeName ?? '',
        isReady: service.publishesNotReady || (isRunning && !metadata.deletionTimestamp),
        ports,
      });
    }
  }
  return found;
}
