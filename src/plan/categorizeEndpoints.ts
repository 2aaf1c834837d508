import type { Dialect } from '../dialect/dialect.ts';
import type { Endpoint } from '../model/endpoint.ts';

/** Which endpoints each policy of a Service port can use. The lists keep the order of the input. */
export interface EndpointCategories {
  readonly cluster: readonly Endpoint[];
  readonly local: readonly Endpoint[];
  readonly reachable: readonly Endpoint[];
  readonly hasEndpoints: boolean;
}

/** What the choice depends on, besides the endpoints themselves. */
export interface CategoryInput {
  readonly endpoints: readonly Endpoint[];
  readonly usesClusterEndpoints: boolean;
  readonly usesLocalEndpoints: boolean;
  /** The Service's topology annotations ask for hints (how they are read is the version's matter). */
  readonly wantsHints: boolean;
  /** Zone of the node; empty: unknown, and hints are not used. */
  readonly zone: string;
}

/**
 * Chooses as all three proxiers of kube-proxy 1.30 do. Ready endpoints come first; where a list has none, endpoints that
 * still serve while they terminate stand in (KEP-1669, since 1.26), each list for itself. Topology hints narrow the
 * cluster list to this node's zone, and are ignored unless every ready endpoint has one and one is for the zone.
 */
export function categorizeEndpoints(input: CategoryInput, dialect: Dialect): EndpointCategories {
  const isLastResort = (endpoint: Endpoint) => dialect.usesTerminating && endpoint.isServing && endpoint.isTerminating;
  const usesHints = input.wantsHints && canUseHints(input.endpoints, input.zone);

  let cluster: readonly Endpoint[] = [];
  if (input.usesClusterEndpoints) {
    cluster = input.endpoints.filter(
      (endpoint) => endpoint.isReady && (!usesHints || endpoint.zoneHints.includes(input.zone)),
    );
    if (cluster.length === 0) cluster = input.endpoints.filter(isLastResort);
  }
  if (!input.usesLocalEndpoints) {
    return { cluster, local: [], reachable: keepNotReady(cluster), hasEndpoints: cluster.length > 0 };
  }

  const hasEndpoints =
    cluster.length > 0 || input.endpoints.some((endpoint) => endpoint.isReady || isLastResort(endpoint));
  let local: readonly Endpoint[] = input.endpoints.filter((endpoint) => endpoint.isLocal && endpoint.isReady);
  let isTerminatingLocal = false;
  if (local.length === 0) {
    local = input.endpoints.filter((endpoint) => endpoint.isLocal && isLastResort(endpoint));
    isTerminatingLocal = local.length > 0;
  }
  return { cluster, local, reachable: keepNotReady(reach()), hasEndpoints };

  function reach(): readonly Endpoint[] {
    if (!input.usesClusterEndpoints) return local;
    // Without hints and without a last resort, the local endpoints are among those of the cluster.
    if (!usesHints && !isTerminatingLocal) return cluster;
    const either = new Set([...cluster, ...local]);
    return input.endpoints.filter((endpoint) => either.has(endpoint));
  }

  function keepNotReady(reachable: readonly Endpoint[]): readonly Endpoint[] {
    return dialect.keepsNotReadyChains ? input.endpoints : reachable;
  }
}

function canUseHints(endpoints: readonly Endpoint[], zone: string): boolean {
  if (zone === '') return false;
  let isHintedForZone = false;
  for (const endpoint of endpoints) {
    if (!endpoint.isReady) continue;
    if (endpoint.zoneHints.length === 0) return false;
    isHintedForZone ||= endpoint.zoneHints.includes(zone);
  }
  return isHintedForZone;
}
