import type { Family } from '../common/addresses/family.ts';
import { familyOf } from '../common/addresses/ip.ts';
import { compareBytes } from '../common/compareBytes.ts';
import type { Report } from '../diagnostics/diagnostic.ts';
import type { KubeVersion } from '../dialect/version.ts';
import type { Cluster } from '../model/cluster.ts';
import type { Service } from '../model/service.ts';
import type { Manifest } from '../validate/kinds/manifest.ts';
import type { Manifests, ServiceObject } from '../validate/kinds/manifests.ts';
import { allocate } from './assumed/allocate.ts';
import { assumeClusterPods } from './assumed/assumeClusterPods.ts';
import { defaultServiceCIDRs } from './assumed/defaultServiceCIDRs.ts';
import { serviceRanges } from './assumed/serviceRanges.ts';
import { type EndpointSources, endpointSources } from './endpoints/endpointSources.ts';
import { endpointsOfService } from './endpoints/endpointsOfService.ts';
import { resolveService } from './resolveServices.ts';
import type { TargetOptions } from './targetOptions.ts';

/**
 * Makes the cluster from checked objects: allocation and endpoints as for rules, but for every Service and without a
 * node.
 */
export function resolveCluster(
  given: Manifests,
  givenOptions: TargetOptions,
  kubeVersion: KubeVersion,
  report: Report,
): Cluster {
  const ranges = serviceRanges(given, givenOptions);
  const options = ranges === undefined ? givenOptions : { ...givenOptions, serviceCIDRs: ranges };
  const manifests = assumeClusterPods(given, options, report);
  const sources = endpointSources(manifests);
  const allocatable = manifests.services.filter(({ value }) => kindOf(value) === 'clusterIP');
  const allocations = allocate(allocatable, manifests.services, options, report);
  const services = manifests.services.map((service) => {
    const resolved = resolveService(service, allocations.get(service));
    return toService(service, resolved, sources);
  });
  services.sort((a, b) => compareBytes(a.namespace, b.namespace) || compareBytes(a.name, b.name));
  const serviceCIDRs = ranges ?? [defaultServiceCIDRs.ipv4];
  return { services, manifests, namespaces: existingNamespaces(manifests), serviceCIDRs, kubeVersion };
}

function existingNamespaces({
  namespaces,
  nodes: _,
  blockAffinities: __,
  serviceCIDRs: ___,
  ...namespaced
}: Manifests): ReadonlySet<string> {
  const names = new Set(namespaces.map(({ value }) => value.metadata.name));
  for (const list of Object.values(namespaced)) {
    for (const { value } of list) names.add(value.metadata.namespace || 'default');
  }
  return names;
}

function kindOf({ spec }: ServiceObject): 'clusterIP' | 'headless' | 'externalName' {
  if (spec.type === 'ExternalName') return 'externalName';
  return (spec.clusterIPs?.[0] ?? spec.clusterIP) === 'None' ? 'headless' : 'clusterIP';
}

function toService(
  { value, origin }: Manifest<ServiceObject>,
  resolved: ReturnType<typeof resolveService>,
  sources: EndpointSources,
): Service {
  const { spec, metadata } = value;
  const kind = kindOf(value);
  const clusterIPs = kind === 'clusterIP' ? resolved.clusterIPs.map(({ ip }) => ip) : [];
  const { namespace, name, ports, affinitySeconds, isExternalPolicyLocal, healthCheckNodePort } = resolved;
  return {
    kind: kind === 'clusterIP' && clusterIPs.length === 0 ? 'unallocated' : kind,
    namespace,
    name,
    id: `${namespace}/${name}`,
    type: kind === 'externalName' ? 'ExternalName' : resolved.type,
    clusterIPs,
    externalName: kind === 'externalName' ? (spec.externalName ?? '') : '',
    ports,
    endpoints: kind === 'externalName' ? [] : endpointsOfService(resolved, podFamilies(value, clusterIPs), sources),
    loadBalancer: {
      ingress: resolved.ingress,
      requestedIP: spec.loadBalancerIP ?? '',
      className: spec.loadBalancerClass ?? '',
      sourceRanges: resolved.sourceRanges,
    },
    affinitySeconds,
    isExternalPolicyLocal,
    healthCheckNodePort,
    createdAt: metadata.creationTimestamp ?? '',
    annotations: resolved.annotations,
    origin,
  };
}

function podFamilies({ spec }: ServiceObject, clusterIPs: readonly string[]): readonly Family[] {
  const named = (spec.ipFamilies ?? []).map((family): Family => (family === 'IPv6' ? 'ipv6' : 'ipv4'));
  if (named.length > 0) return [...new Set(named)];
  const used = clusterIPs.map(familyOf).filter((family) => family !== undefined);
  return used.length > 0 ? used : ['ipv4'];
}
