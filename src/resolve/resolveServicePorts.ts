import { parseCidr } from '../common/addresses/cidr.ts';
import type { Family } from '../common/addresses/family.ts';
import { familyOf } from '../common/addresses/ip.ts';
import { modeFacts } from '../common/proxy/modeFacts.ts';
import { defaultMode } from '../common/proxy/proxyMode.ts';
import { firstFew } from '../common/text/firstFew.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import { type SeenService, seenPort } from '../model/seenServices.ts';
import type { BetaAnnotations, ServicePort, SourceRange } from '../model/servicePort.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type { EndpointSliceObject, EndpointsObject, Manifests } from '../validate/kinds/manifests.ts';
import { type EndpointIndex, endpointAt, endpointIndex } from './endpoints/endpointIndex.ts';
import { type EndpointSources, endpointSources } from './endpoints/endpointSources.ts';
import { endpointsFromEndpoints } from './endpoints/endpointsFromEndpoints.ts';
import { endpointsFromPods } from './endpoints/endpointsFromPods.ts';
import { addressByChance, endpointsFromSlice } from './endpoints/endpointsFromSlices.ts';
import { isSeenSlice } from './endpoints/isSeenSlice.ts';
import type { HidingLabels } from './hidingLabels.ts';
import { jointPorts, withPorts } from './joint.ts';
import type { ResolvedService } from './resolvedService.ts';
import type { ResolveMemory } from './resolveMemory.ts';
import { parseRanges } from './resolveServices.ts';
import type { TargetOptions } from './targetOptions.ts';

/**
 * Joins Services with their endpoints: one ServicePort a port and family. Endpoints come from the EndpointSlices of the
 * Service; from its Endpoints object if it has no slice; from the Pods that it selects if it has neither.
 */
export function resolveServicePorts(
  services: readonly ResolvedService[],
  manifests: Manifests,
  nodeName: string,
  options: TargetOptions & { readonly hiding: HidingLabels; readonly sortsSlices: boolean },
  report: Report,
  memory?: ResolveMemory,
): readonly ServicePort[] {
  const { hiding, sortsSlices } = options;
  const sources = endpointSources(manifests);
  const [slices, endpoints] = [memory?.slices(manifests.endpointSlices) ?? sources.slices(), sources.endpoints()];
  const joints = memory?.joints.pass();
  const ports: ServicePort[] = [];
  const unknown: string[] = [];
  const unshown: string[] = [];
  for (const service of services) {
    const joint = joints?.get(service);
    const key = joint?.key ?? `${service.namespace}/${service.name}`;
    const ownSlices = slices.get(key);
    const joining = ownSlices && { key, slices: ownSlices, node: nodeName, hiding, sortsSlices };
    const earlier = joint && joining && jointPorts(joint, joining);
    if (earlier !== undefined) {
      for (const port of earlier) ports.push(port);
      continue;
    }
    const index = endpointIndex();
    const ownEndpoints = endpoints.get(key);
    let isSortSaid = false;
    if (ownSlices !== undefined) {
      for (const slice of ownSlices) {
        if (!isSeenSlice(slice, hiding)) continue;
        endpointsFromSlice(slice.value, nodeName, index, sortsSlices);
        if (sortsSlices && reportSorted(slice, report)) isSortSaid = true;
      }
    } else if (ownEndpoints !== undefined && !isDumpAsked(ownEndpoints, service, options)) {
      endpointsFromEndpoints(ownEndpoints.value, nodeName, index);
    } else if (
      options.seen !== undefined &&
      (ownEndpoints !== undefined || !hasGivenEndpoints(service, manifests, sources))
    ) {
      const seen = options.seen.get(key);
      if (seen !== undefined && seen.unshown.size > 0) {
        unshown.push(key);
        continue;
      }
      unknown.push(key);
      endpointsFromSeen(seen, service, index);
    } else if (Object.keys(service.selector).length > 0) {
      endpointsFromPods(service, sources.pods().select(service.namespace, service.selector), nodeName, index, report);
    }
    const added = servicePorts(service, index, isWithoutAddress(ownSlices, ownEndpoints));
    if (unknown.at(-1) !== key && added.every((port) => port.endpoints.length === 0)) {
      reportNoEndpoints(service, sources, ownSlices !== undefined || ownEndpoints !== undefined, options, report);
    } else if (joining !== undefined && !isSortSaid) joints?.set(service, withPorts(joint, joining, added));
    for (const port of added) ports.push(port);
  }
  if (unknown.length > 0) reportSeenEndpoints(unknown, report);
  if (unshown.length > 0) reportUnshownEndpoints(unshown, report);
  return ports;
}

/**
 * Endpoints are given as slices or Endpoints, or come from Pods. A Service without any of these, in an input that has
 * none at all or whose Pods it does not select, has endpoints that only the cluster knows.
 */
function hasGivenEndpoints(service: ResolvedService, manifests: Manifests, sources: EndpointSources): boolean {
  if (service.hidesSelector) return false;
  if (Object.keys(service.selector).length === 0) {
    return manifests.endpointSlices.length + manifests.endpoints.length > 0;
  }
  if (sources.pods().select(service.namespace, service.selector).length > 0) return true;
  if (sources.unlabelled().has(service.namespace)) return false;
  return manifests.pods.some(({ value }) => (value.metadata.namespace ?? 'default') === service.namespace);
}

/**
 * A table shows no nodes, and perhaps not all endpoints: if either matters, those that the node's own rules show
 * replace them.
 */
function isDumpAsked({ detail }: Manifest<unknown>, service: ResolvedService, { seen }: TargetOptions): boolean {
  if (detail === undefined || !seen?.has(`${service.namespace}/${service.name}`)) return false;
  return detail === 0 || service.isExternalPolicyLocal || service.isInternalPolicyLocal;
}

function endpointsFromSeen(seen: SeenService | undefined, service: ResolvedService, index: EndpointIndex): void {
  for (const { family } of service.clusterIPs) {
    for (const { name, protocol, port: servicePort } of service.ports) {
      const key = `${family} ${seenPort(protocol, name)}`;
      const endpoints = seen?.endpoints.get(key) ?? [];
      for (const { ip, port, isInCluster, isLocal } of endpoints) {
        // Endpoints that only the node's traffic reaches are terminating: policy Local falls back on them (since 1.22).
        const state = { isReady: isInCluster, isServing: true, isTerminating: !isInCluster, isLocal };
        index.add(family, name, protocol, endpointAt({ ip, ...state, zoneHints: [], nodeHints: [] }, port));
      }
      if (endpoints.length > 0 || !seen?.elsewhere.has(key)) continue;
      // The rules show that there are endpoints on other nodes, and none leads to them: it does not matter which they
      // are.
      const state = { isReady: true, isServing: true, isTerminating: false, isLocal: false };
      const ip = family === 'ipv4' ? '0.0.0.0' : '::';
      index.add(family, name, protocol, endpointAt({ ip, ...state, zoneHints: [], nodeHints: [] }, servicePort));
    }
  }
}

/** The effect of kube-proxy's sorting of a slice: until 1.30. Whether there was anything to say. */
function reportSorted(slice: Manifest<EndpointSliceObject>, report: Report): boolean {
  const { ports, metadata } = slice.value;
  const at = (ports ?? []).findIndex(({ port }) => port === undefined || port === null);
  const crashes = at >= 0 && (ports ?? []).length > 1;
  if (crashes) {
    report({
      code: 'slice-port-without-number',
      severity: 'warning',
      message: `a port of EndpointSlice ${metadata.namespace ?? 'default'}/${metadata.name} has no number: kube-proxy until 1.30 crashes on it`,
      at: [{ ...slice.origin, path: [...slice.origin.path, 'ports', at] }],
      hint: 'the API server takes it, and kube-proxy since 1.31 skips the port',
    });
  }
  const address = addressByChance(slice.value);
  if (address === undefined) return crashes;
  report({
    code: 'endpoint-by-chance',
    severity: 'warning',
    message: `several entries of EndpointSlice ${slice.value.metadata.namespace ?? 'default'}/${slice.value.metadata.name} are for ${address} and differ: which one counts is not known`,
    at: [slice.origin],
    hint: 'kube-proxy until 1.30 sorts the entries, and equal ones among more than 12 come in an order of their own; the first is taken',
  });
  return true;
}

function reportSeenEndpoints(services: readonly string[], report: Report): void {
  report({
    code: 'taken-from-dump',
    severity: 'note',
    message: `endpoints of ${firstFew(services, 3)} are not all in the input: what the dump shows is taken`,
    at: [],
    hint: 'add them for a full comparison: kubectl get endpointslices -A -o json',
  });
}

function reportUnshownEndpoints(services: readonly string[], report: Report): void {
  report({
    code: 'taken-from-dump',
    severity: 'note',
    message: `the endpoints of ${firstFew(services, 3)} are neither in the input nor all in the dump: not compared`,
    at: [],
    hint: 'add them: kubectl get endpointslices -A -o json',
  });
}

function servicePorts(service: ResolvedService, index: EndpointIndex, isWithoutAddress: boolean): ServicePort[] {
  const ports: ServicePort[] = [];
  for (const { family, ip } of service.clusterIPs) {
    const external = service.externalIPs.filter(({ ip: address }) => familyOf(address) === family);
    const externalIPs = external.map(({ ip: address }) => address);
    const isCanonical = external.every(({ ip: address, written }) => address === written);
    const writtenExternalIPs = isCanonical ? externalIPs : external.map(({ written }) => written);
    const loadBalancerIngress = service.ingress.filter((entry) => familyOf(entry.ip) === family);
    const sourceRanges = ofFamily(service.sourceRanges, family);
    const strayLocalIPs = service.healthCheckNodePort === 0 ? none : strayIPs(service, family, index);
    for (const port of service.ports) {
      ports.push({
        kind: 'servicePort',
        family,
        namespace: service.namespace,
        name: service.name,
        portName: port.name,
        protocol: port.protocol,
        clusterIP: ip,
        port: port.port,
        nodePort: port.nodePort,
        type: service.type,
        externalIPs,
        writtenExternalIPs,
        loadBalancerIngress,
        sourceRanges,
        affinitySeconds: service.affinitySeconds,
        isExternalPolicyLocal: service.isExternalPolicyLocal,
        isInternalPolicyLocal: service.isInternalPolicyLocal,
        healthCheckNodePort: service.healthCheckNodePort,
        strayLocalIPs,
        topologyAwareHints: service.annotations['service.kubernetes.io/topology-aware-hints'],
        topologyMode: service.annotations['service.kubernetes.io/topology-mode'],
        beta: betaAnnotations(service, family),
        endpoints: index.of(family, port.name, port.protocol),
        isWithoutAddress,
        origin: service.origin,
      });
    }
  }
  return ports;
}

const none: readonly string[] = [];

function strayIPs({ ports }: ResolvedService, family: Family, index: EndpointIndex): readonly string[] {
  const ready = index.besides(family, ports).filter(({ isLocal, isReady }) => isLocal && isReady);
  return [...new Set(ready.map(({ ip }) => ip))];
}

function isWithoutAddress(
  slices: readonly Manifest<EndpointSliceObject>[] | undefined,
  endpoints: Manifest<EndpointsObject> | undefined,
): boolean {
  if (slices !== undefined) return slices.every(({ value }) => (value.endpoints ?? []).length === 0);
  return endpoints !== undefined && endpoints.detail === undefined && (endpoints.value.subsets ?? []).length === 0;
}

/** Fields since 1.7 were annotations in 1.4–1.6, and only for Services that are open to the outside. */
function betaAnnotations(service: ResolvedService, family: Family): BetaAnnotations | undefined {
  const external = service.annotations['service.beta.kubernetes.io/external-traffic'];
  const ranges = service.annotations['service.beta.kubernetes.io/load-balancer-source-ranges'];
  if (external === undefined && ranges === undefined) return undefined;
  return {
    isExternalPolicyLocal: external === 'OnlyLocal' && service.type !== 'ClusterIP',
    sourceRanges: ofFamily(parseRanges((ranges ?? '').split(',')), family),
  };
}

function ofFamily(ranges: readonly SourceRange[], family: Family): readonly SourceRange[] {
  return ranges.filter((range) => parseCidr(range.network)?.family === family);
}

function reportNoEndpoints(
  service: ResolvedService,
  { workloads, unlabelled }: Pick<EndpointSources, 'workloads' | 'unlabelled'>,
  hasObjects: boolean,
  options: TargetOptions,
  report: Report,
): void {
  const hasSelector = Object.keys(service.selector).length > 0;
  const workload = hasSelector ? workloads().select(service.namespace, service.selector)[0] : undefined;
  const canAssumePods = !hasObjects && workload !== undefined && !options.assumesPods;
  const hint = hasObjects
    ? undefined
    : canAssumePods
      ? `--assume-pods makes up the Pods of ${workload.value.kind} ${workload.value.metadata.name}`
      : hasSelector && unlabelled().has(service.namespace)
        ? 'the labels of the Pods in its namespace are not shown: kubectl get pods -o wide --show-labels'
        : 'add its EndpointSlices or Pods: kubectl get endpointslices,pods -A -o yaml';
  // If kube-proxy itself takes connections, it has accepted by the time it looks for an endpoint.
  const effect = modeFacts[options.mode ?? defaultMode].passesThroughProxy
    ? 'its connections are closed at once'
    : 'its traffic is rejected';
  // A row without its selector says nothing about endpoints.
  const isHidden = service.hidesSelector && !hasObjects;
  report({
    code: 'no-endpoints',
    severity: hasObjects || isHidden ? 'note' : 'warning',
    message: isHidden
      ? `the endpoints of Service ${service.namespace}/${service.name} are not shown: in rules made of this input alone, ${effect}`
      : `Service ${service.namespace}/${service.name} has no endpoints${hasObjects ? '' : ' in the input'}: ${effect}`,
    at: [service.origin],
    ...(hint === undefined ? {} : { hint }),
    services: [`${service.namespace}/${service.name}`],
    ...(canAssumePods && { facts: { canAssumePods } }),
  });
}
