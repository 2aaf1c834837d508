import type { PlanDialect } from '../dialect/plan/planDialect.ts';
import type { Endpoint } from '../model/endpoint.ts';

/** Which endpoints each policy of a Service port can use. The lists keep the order of the input. */
export interface EndpointCategories {
  readonly cluster: readonly Endpoint[];
  readonly local: readonly Endpoint[];
  /** Endpoints that keep their clients, if the Service has affinity. */
  readonly sticky: readonly Endpoint[];
  readonly reachable: readonly Endpoint[];
  readonly hasEndpoints: boolean;
  readonly usesHints: boolean;
}

/** What the choice depends on, besides the endpoints themselves. */
export interface CategoryInput {
  readonly endpoints: readonly Endpoint[];
  readonly usesClusterEndpoints: boolean;
  readonly usesLocalEndpoints: boolean;
  /** The Service's topology annotations ask for hints (how they are read is the version's matter). */
  readonly wantsHints: boolean;
  readonly node: string;
  /** Zone of the node; empty: unknown, and hints for zones are not used. */
  readonly zone: string;
}

/**
 * Chooses as all three proxiers of kube-proxy do. Ready endpoints come first; where a list has none, endpoints that
 * still serve while they terminate stand in (KEP-1669, since 1.26), each list for itself. Topology hints narrow the
 * cluster list to this node (since 1.34) or to its zone, and are ignored unless every ready endpoint has one and one of
 * them is for the node, or the zone.
 */
export function categorizeEndpoints(input: CategoryInput, dialect: PlanDialect): EndpointCategories {
  const isLastResort = (endpoint: Endpoint) => dialect.usesTerminating && endpoint.isServing && endpoint.isTerminating;
  const isHinted = input.wantsHints ? hintedFor(input, dialect) : undefined;
  const usesHints = isHinted !== undefined;

  let cluster: readonly Endpoint[] = [];
  if (input.usesClusterEndpoints) {
    const isOfCluster = (endpoint: Endpoint) => endpoint.isReady && (isHinted === undefined || isHinted(endpoint));
    // Usually all of them are: this saves a list for each Service port.
    cluster = input.endpoints.every(isOfCluster) ? input.endpoints : input.endpoints.filter(isOfCluster);
    if (cluster.length === 0) cluster = input.endpoints.filter(isLastResort);
  }
  if (!input.usesLocalEndpoints) {
    const kept = keepNotReady(cluster);
    return { cluster, local: [], sticky: kept, reachable: kept, hasEndpoints: cluster.length > 0, usesHints };
  }

  const hasEndpoints =
    cluster.length > 0 || input.endpoints.some((endpoint) => endpoint.isReady || isLastResort(endpoint));
  let local: readonly Endpoint[] = input.endpoints.filter((endpoint) => endpoint.isLocal && endpoint.isReady);
  let isTerminatingLocal = false;
  if (local.length === 0) {
    local = input.endpoints.filter((endpoint) => endpoint.isLocal && isLastResort(endpoint));
    isTerminatingLocal = local.length > 0;
  }
  return { cluster, local, sticky: keepNotReady(cluster), reachable: keepNotReady(reach()), hasEndpoints, usesHints };

  function reach(): readonly Endpoint[] {
    if (!input.usesClusterEndpoints) return local;
    // Without hints and without a last resort, the local endpoints are among those of the cluster.
    if (!usesHints && !isTerminatingLocal) return cluster;
    const either = new Set([...cluster, ...local]);
    return input.endpoints.filter((endpoint) => either.has(endpoint));
  }

  function keepNotReady(endpoints: readonly Endpoint[]): readonly Endpoint[] {
    return dialect.reachesNotReady ? input.endpoints : endpoints;
  }
}

type IsHinted = (endpoint: Endpoint) => boolean;

/** Which endpoints are meant for this node, if hints can be used at all. */
function hintedFor({ endpoints, node, zone }: CategoryInput, dialect: PlanDialect): IsHinted | undefined {
  if (dialect.honoursNodeHints && canUse(({ nodeHints }) => nodeHints, node)) {
    return ({ nodeHints }) => nodeHints.includes(node);
  }
  if (zone !== '' && canUse(({ zoneHints }) => zoneHints, zone)) return ({ zoneHints }) => zoneHints.includes(zone);
  return undefined;

  function canUse(hintsOf: (endpoint: Endpoint) => readonly string[], own: string): boolean {
    let isForUs = false;
    for (const endpoint of endpoints) {
      if (!endpoint.isReady) continue;
      const hints = hintsOf(endpoint);
      if (hints.length === 0) return false;
      isForUs ||= hints.includes(own);
    }
    return isForUs;
  }
}
