import { familyNames } from '../../common/addresses/family.ts';
import { canonicalIp } from '../../common/addresses/ip.ts';
import type { ImportContext } from './importContext.ts';
import type { ImportedService } from './importedService.ts';
import { type ImportedManifest, remarkBook } from './manifest.ts';
import type { GroupPort, ServiceGroup } from './serviceGroup.ts';
import { sourceRanges } from './sourceRanges.ts';

/** The Service as the API server would print it, without what rules never show: selector, labels, names of target ports. */
export function serviceManifest(service: ImportedService, context: ImportContext): ImportedManifest {
  const remarks = remarkBook();
  const type = typeOf(service.group, context);
  const group = type === 'LoadBalancer' ? service.group : withoutBalancer(service.group);
  const isAccessible = type !== 'ClusterIP' || group.externalIPs.length > 0;
  const metadata = metadataOf(service, context);
  if (group.isNameless) remarks.add(metadata, 'name', 'made up: rules of IPVS mode name no Service');
  const targets = targetsOf(service);
  const numbers = portNumbers(group.ports, targets);
  const ports = group.ports.flatMap((port, at) => {
    const number = numbers[at];
    if (number === undefined) return [];
    const value = portValue(port, number, targets.get(port));
    if (port.port === undefined) remarks.add(value, 'port', 'made up: the dump does not show it');
    return [value];
  });
  const ranges = type === 'LoadBalancer' ? sourceRanges(group, context) : [];
  const spec: Record<string, unknown> = {
    type,
    ...addressFields(group),
    ports,
    ...(group.externalIPs.length > 0 && { externalIPs: group.externalIPs }),
    ...(ranges.length > 0 && { loadBalancerSourceRanges: ranges }),
    ...(isAccessible && group.externalPolicy && { externalTrafficPolicy: group.externalPolicy }),
    ...(group.internalPolicy && { internalTrafficPolicy: group.internalPolicy }),
    ...(group.healthCheckNodePort !== undefined && { healthCheckNodePort: group.healthCheckNodePort }),
    ...(type === 'LoadBalancer' &&
      !group.ports.every(({ nodePort }) => nodePort) && {
        allocateLoadBalancerNodePorts: false,
      }),
    ...affinityFields(group),
  };
  if (type !== 'LoadBalancer' && needsBalancer(service.group, context))
    remarks.add(
      spec,
      'type',
      'the rules show more, but no load balancer of this version has ports of several protocols',
    );
  if (spec.clusterIP === undefined) remarks.add(spec, 'clusterIP', 'the dump does not show it');
  if (group.guessedIPs.length > 0)
    remarks.add(spec, 'externalIPs', 'external IPs or addresses of a load balancer: the rules do not say which');
  if (type === 'LoadBalancer' && group.externalPolicy === 'Local' && group.healthCheckNodePort === undefined)
    remarks.add(spec, 'healthCheckNodePort', 'the dump does not show it');
  const ingress = group.loadBalancerIPs.map((ip) => ({ ip }));
  const value = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec,
    ...(ingress.length > 0 && { status: { loadBalancer: { ingress } } }),
  };
  return { value, remarks: remarks.all };
}

type ServiceType = 'ClusterIP' | 'NodePort' | 'LoadBalancer';

/**
 * Addresses of a load balancer, its source ranges and its health checks need type LoadBalancer. A Local policy that old
 * versions apply only to external IPs needs it too, as do node ports for only some ports, which type NodePort does not
 * allow. Where the API server refuses it, as rules were edited or lost, the Service keeps its node ports alone.
 */
function typeOf(group: ServiceGroup, context: ImportContext): ServiceType {
  const isMixed = new Set(group.ports.map(({ protocol }) => protocol)).size > 1;
  if (needsBalancer(group, context) && (context.mixesProtocols || !isMixed)) return 'LoadBalancer';
  return group.ports.some(({ nodePort }) => nodePort !== undefined) ? 'NodePort' : 'ClusterIP';
}

function needsBalancer(group: ServiceGroup, { plan }: ImportContext): boolean {
  const { loadBalancerIPs, healthCheckNodePort, externalPolicy, externalIPs, ports, seen } = group;
  if (loadBalancerIPs.length > 0 || healthCheckNodePort !== undefined) return true;
  if (seen.some(({ sources }) => sources !== undefined)) return true;
  const withNodePort = ports.filter(({ nodePort }) => nodePort !== undefined).length;
  if (withNodePort > 0) return withNodePort < ports.length;
  return externalPolicy === 'Local' && externalIPs.length > 0 && plan.externalPolicy === 'ofNodePorts';
}

function withoutBalancer(group: ServiceGroup): ServiceGroup {
  return { ...group, loadBalancerIPs: [], healthCheckNodePort: undefined };
}

/** Hints count through 1.30 only for Services that ask for them. */
function metadataOf(
  { group: { namespace, name }, usesHints }: ImportedService,
  { asksForHints }: ImportContext,
): Record<string, unknown> {
  const annotations = { 'service.kubernetes.io/topology-aware-hints': 'Auto' };
  return { namespace, name, ...(usesHints && asksForHints && { annotations }) };
}

/** The one port that all endpoints of a Service port have, where there is one. */
function targetsOf({ endpoints }: ImportedService): ReadonlyMap<GroupPort, number> {
  const seen = new Map<GroupPort, Set<number>>();
  for (const { port: of, endpoints: shown } of endpoints) {
    const targets = seen.get(of) ?? new Set<number>();
    for (const endpoint of shown ?? []) if (!endpoint.isMadeUp) targets.add(endpoint.port);
    seen.set(of, targets);
  }
  return new Map(
    [...seen].flatMap(([of, [first, second]]) => (first === undefined || second !== undefined ? [] : [[of, first]])),
  );
}

/**
 * The number of each port: where none shows that of its endpoints, its node port, or any that is free. Undefined: the
 * Service has all numbers already, as a damaged dump may say (`add KUBE-CLUSTER-IP 10.96.0.1,tcp:0-65535`).
 */
function portNumbers(
  ports: readonly GroupPort[],
  targets: ReadonlyMap<GroupPort, number>,
): readonly (number | undefined)[] {
  const taken = new Set(ports.map(({ protocol, port }) => `${protocol} ${port}`));
  return ports.map((own) => {
    if (own.port !== undefined) return own.port;
    const wanted = [targets.get(own), own.nodePort].flatMap((number) => number ?? []);
    let number = wanted.find((one) => !taken.has(`${own.protocol} ${one}`));
    for (let next = 1; number === undefined && next <= highestPort; next += 1)
      if (!taken.has(`${own.protocol} ${next}`)) number = next;
    taken.add(`${own.protocol} ${number}`);
    return number;
  });
}

const highestPort = 65_535;

function portValue(
  { name, protocol, nodePort }: GroupPort,
  port: number,
  target: number | undefined,
): Record<string, unknown> {
  return {
    ...(name !== '' && { name }),
    protocol,
    port,
    ...(target !== undefined && { targetPort: target }),
    ...(nodePort !== undefined && { nodePort }),
  };
}

function addressFields({ seen }: ServiceGroup): Record<string, unknown> {
  const families = (['ipv4', 'ipv6'] as const).flatMap((family) => {
    const own = seen.filter((port) => port.family === family);
    const ip = own.find(({ clusterIP }) => clusterIP !== undefined)?.clusterIP;
    return own.length === 0 ? [] : [{ family, ip: ip === undefined ? undefined : canonicalIp(ip) }];
  });
  const clusterIPs = families.flatMap(({ ip }) => ip ?? []);
  // Cluster IPs stand in the order of the families: one that is not known stands last, or is left out.
  const ordered = [...families].sort((a, b) => Number(a.ip === undefined) - Number(b.ip === undefined));
  return {
    ...(clusterIPs.length > 0 && { clusterIP: clusterIPs[0], clusterIPs }),
    ipFamilies: ordered.map(({ family }) => familyNames[family]),
    ipFamilyPolicy: families.length > 1 ? 'PreferDualStack' : 'SingleStack',
  };
}

/** The API takes from a second to a day. */
function affinityFields({ affinitySeconds: seconds }: ServiceGroup): Record<string, unknown> {
  if (seconds === undefined) return {};
  const isLegal = seconds >= 1 && seconds <= 86_400;
  return {
    sessionAffinity: 'ClientIP',
    ...(isLegal && { sessionAffinityConfig: { clientIP: { timeoutSeconds: seconds } } }),
  };
}
