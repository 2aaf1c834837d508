import { ipPort } from '../common/addresses/ipPort.ts';
import { addTo } from '../common/addTo.ts';
import type { Cluster } from '../model/cluster.ts';
import type { Service } from '../model/service.ts';
import { namespaceOf } from '../validate/fields/describe.ts';
import type { ServiceObject } from '../validate/kinds/manifests.ts';

/** What of a cluster leads to its Services. */
export interface WaysInput {
  readonly nodes: Cluster['manifests']['nodes'];
  /** What Ingresses lead there: hosts and paths by `namespace/name`. */
  readonly ingresses: ReadonlyMap<string, readonly string[]>;
}

export function waysInput({ manifests: { nodes, ingresses } }: Cluster): WaysInput {
  const byService = new Map<string, string[]>();
  for (const { value } of ingresses) {
    for (const { host, http } of value.spec?.rules ?? []) {
      for (const { path, backend } of http?.paths ?? []) {
        const name = backend?.service?.name ?? backend?.serviceName;
        if (!name) continue;
        const way = `http://${host || '*'}${path || '/'} by Ingress ${value.metadata.name}`;
        addTo(byService, `${namespaceOf(value.metadata)}/${name}`, way);
      }
    }
  }
  return { nodes, ingresses: byService };
}

/** Every address that a Service answers at, from inside and from outside, and what is not one. */
export function waysIn(service: Service, object: ServiceObject | undefined, input: WaysInput): readonly string[] {
  if (service.kind === 'externalName' || service.kind === 'unallocated') return [];
  const inside = service.clusterIPs.flatMap((ip) => service.ports.map((port) => at(ip, port)));
  const outside = [
    ...nodePorts(service, input),
    ...loadBalancer(service),
    ...(object?.spec.externalIPs ?? []).map(
      (ip) => `external IP, if the network leads it to a node: ${service.ports.map((port) => at(ip, port)).join(', ')}`,
    ),
    ...(input.ingresses.get(service.id) ?? []),
  ];
  return [
    ...(inside.length === 0 ? [] : [`inside the cluster: ${inside.join(', ')}`]),
    ...outside.map((way) => `from outside: ${way}`),
    ...(outside.length === 0 ? ['from outside: not reachable'] : []),
    ...asked(service),
    ...proxied(service),
  ];
}

function at(ip: string, { port, protocol }: Service['ports'][number]): string {
  return `${ipPort(ip, port)}/${protocol}`;
}

function nodePorts({ ports, isExternalPolicyLocal, endpoints }: Service, input: WaysInput): readonly string[] {
  const opened = ports.filter(({ nodePort }) => nodePort > 0);
  if (opened.length === 0) return [];
  const numbers = opened.map(({ nodePort, protocol }) => `${nodePort}/${protocol}`).join(', ');
  const withEndpoint = new Set(endpoints.filter(({ isReady }) => isReady).map(({ node }) => node));
  const nodes = input.nodes
    .filter(({ value }) => !isExternalPolicyLocal || withEndpoint.has(value.metadata.name))
    .flatMap(({ value }) =>
      (value.status?.addresses ?? []).filter(({ type }) => /^(?:Internal|External)IP$/.test(type)),
    )
    .map(({ address }) => address);
  const where = isExternalPolicyLocal ? 'every node that has an endpoint' : 'every node';
  return [
    `port ${numbers} of ${where}${nodes.length === 0 ? '' : `: ${nodes.slice(0, mostNodes).join(', ')}`}${nodes.length > mostNodes ? ' and more' : ''}`,
  ];
}

const mostNodes = 10;

function loadBalancer({ type, loadBalancer: { ingress, sourceRanges }, ports }: Service): readonly string[] {
  if (type !== 'LoadBalancer') return [];
  if (ingress.length === 0) return ['no load balancer has an address for it yet'];
  const addresses = ingress
    .flatMap(({ ip, ipMode }) => ports.map((port) => at(ip, port) + (ipMode === 'Proxy' ? ' (ipMode Proxy)' : '')))
    .join(', ');
  const only =
    sourceRanges.length === 0 ? '' : `, for clients in ${sourceRanges.map(({ network }) => network).join(', ')}`;
  return [`load balancer ${addresses}${only}`];
}

/** The provider need not give the address that was asked for. */
function asked({ loadBalancer: { requestedIP, ingress } }: Service): readonly string[] {
  if (
    requestedIP === '' ||
    ingress.length === 0 ||
    ingress.some(({ ip, written }) => [ip, written].includes(requestedIP))
  )
    return [];
  return [`${requestedIP} was requested but not assigned: nothing answers there`];
}

/** Since 1.30 nodes leave such an address alone. */
function proxied({ type, loadBalancer: { ingress } }: Service): readonly string[] {
  const ips = ingress.filter(({ ipMode }) => ipMode === 'Proxy').map(({ ip }) => ip);
  if (type !== 'LoadBalancer' || ips.length === 0) return [];
  return [`${ips.join(', ')}: nodes have no rules for it (1.30 and newer), and Pods go through the load balancer too`];
}
