import { canonicalIp } from '../common/addresses/ip.ts';
import { namespaceOf } from '../validate/fields/describe.ts';
import type { Manifests } from '../validate/kinds/manifests.ts';
import type { PolicyModel, PolicyPod } from './policyModel.ts';

type Shown = Pick<
  Manifests,
  'services' | 'endpointSlices' | 'nodes' | 'pods' | 'workloads' | 'networkPolicies' | 'clusterPolicies'
>;

/**
 * Endpoints that are Pods of namespaces with policies, and of which no Pod is given: the policies are about them, and nobody knows their
 * labels, unless they count as empty. An address of a node is that of a host-network Pod, which no policy selects.
 */
export function unlistedPods(manifests: Shown, assumesEmptyLabels = false): readonly PolicyPod[] {
  const { networkPolicies, clusterPolicies, pods, workloads, nodes, services, endpointSlices } = manifests;
  if (networkPolicies.length + clusterPolicies.length === 0) return [];
  const asked = new Set(networkPolicies.map(({ value }) => namespaceOf(value.metadata)));
  const listed = new Set<string>();
  for (const { value } of [...workloads, ...pods]) {
    const namespace = namespaceOf(value.metadata);
    listed.add(namespace);
    // Mostly all are given, and each node of a cluster asks.
    if (asked.delete(namespace) && asked.size === 0 && clusterPolicies.length === 0) return [];
  }
  const ofNodes = new Set(
    nodes.flatMap(({ value }) => (value.status?.addresses ?? []).map(({ address }) => canonicalIp(address))),
  );
  const selecting = new Set<string>();
  for (const { value } of services) {
    if (Object.keys(value.spec?.selector ?? {}).length > 0)
      selecting.add(`${namespaceOf(value.metadata)}/${value.metadata.name}`);
  }
  const found = new Map<string, PolicyPod>();
  for (const { value } of endpointSlices) {
    const namespace = namespaceOf(value.metadata);
    if (listed.has(namespace) || (clusterPolicies.length === 0 && !asked.has(namespace))) continue;
    const service = `${namespace}/${value.metadata.labels?.[serviceLabel] ?? ''}`;
    for (const { addresses, targetRef, nodeName } of value.endpoints ?? []) {
      const isPod = targetRef?.kind == null ? selecting.has(service) : targetRef.kind === 'Pod';
      for (const address of isPod ? addresses : []) {
        const ip = canonicalIp(address);
        if (ip === undefined || ofNodes.has(ip)) continue;
        const pod = podAt(ip, namespace, targetRef?.name ?? ip, nodeName ?? undefined);
        found.set(ip, { ...pod, hasKnownLabels: assumesEmptyLabels, hasKnownPorts: assumesEmptyLabels });
      }
    }
  }
  return [...found.values()];
}

/** The model with these Pods, too. */
export function withUnlistedPods(model: PolicyModel, unlisted: readonly PolicyPod[]): PolicyModel {
  return unlisted.length === 0 ? model : { ...model, pods: [...model.pods, ...unlisted] };
}

const serviceLabel = 'kubernetes.io/service-name';

function podAt(ip: string, namespace: string, name: string, node: string | undefined): PolicyPod {
  return {
    namespace,
    name,
    id: `${namespace}/${name}`,
    labels: {},
    hasKnownLabels: false,
    ips: [ip],
    hasKnownAddress: true,
    node,
    isHostNetwork: false,
    namedPorts: [],
    hasKnownPorts: false,
  };
}
