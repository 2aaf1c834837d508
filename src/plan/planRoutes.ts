import type { PlanDialect } from '../dialect/plan/planDialect.ts';
import type { ClusterMasquerade, NodePlan, Route, ServicePlan } from './plan.ts';

export type Routes = Pick<
  ServicePlan,
  'internal' | 'external' | 'externalIP' | 'shortCircuits' | 'masqueradesLoopback'
>;

/** What the routes of a service port depend on, besides the node. */
export interface RouteInput {
  readonly isInternalLocal: boolean;
  readonly isExternalLocal: boolean;
  readonly hasEndpoints: boolean;
  readonly hasLocal: boolean;
}

/** The routes of a node's Service ports: most ports share theirs with all others, so each is made once. Every input is part of the key. */
export function planRoutes(
  node: Pick<NodePlan, 'localDetector' | 'clusterMasquerade'>,
  dialect: PlanDialect,
): (input: RouteInput) => Routes {
  const known: Routes[] = [];
  return (input) => {
    const key = keyOf(input);
    let routes = known[key];
    if (routes === undefined) {
      routes = routesOf(input, node, dialect);
      known[key] = routes;
    }
    return routes;
  };
}

/** One bit for each input. */
const bits: Readonly<Record<keyof RouteInput, number>> = {
  isInternalLocal: 1,
  isExternalLocal: 2,
  hasEndpoints: 4,
  hasLocal: 8,
};
const inputs = Object.keys(bits) as (keyof RouteInput)[];

function keyOf(input: RouteInput): number {
  let key = 0;
  for (const name of inputs) if (input[name]) key |= bits[name];
  return key;
}

/**
 * Where traffic goes, by the kind of address. If a Local policy finds no endpoint here, it drops, which makes the
 * client try another node, or uses endpoints of other nodes; no endpoint at all rejects.
 */
function routesOf(
  { isInternalLocal, isExternalLocal, hasEndpoints, hasLocal }: RouteInput,
  node: Pick<NodePlan, 'localDetector' | 'clusterMasquerade'>,
  dialect: PlanDialect,
): Routes {
  const isShort = !hasLocal && !dialect.fallsBackToCluster;
  const route = (isLocal: boolean, { masquerade, why }: ClusterMasquerade): Route => ({
    kind: !hasEndpoints ? 'reject' : isLocal && isShort ? 'drop' : 'balance',
    over: isLocal && (hasLocal || isShort) ? 'local' : 'cluster',
    masquerade,
    why,
  });
  const external = route(isExternalLocal, isExternalLocal ? keepsSource : answersComeBack);
  const hasDetector = node.localDetector !== undefined;
  return {
    internal: route(isInternalLocal, node.clusterMasquerade),
    external,
    externalIP: isExternalLocal && dialect.externalIPHonoursLocal ? external : route(false, externalIPMasquerade()),
    shortCircuits: isExternalLocal
      ? { pods: dialect.podsBypassLocal && hasDetector, node: dialect.nodeBypassesLocal }
      : noShortCircuits,
    masqueradesLoopback: isExternalLocal && dialect.masqueradesLoopbackNodePort,
  };

  function externalIPMasquerade(): ClusterMasquerade {
    if (dialect.externalIPMasquerade === 'always') return answersComeBack;
    return hasDetector ? onlyOffCluster : allWithoutDetector;
  }
}

const keepsSource: ClusterMasquerade = { masquerade: 'never', why: 'externalPolicyLocal' };
const answersComeBack: ClusterMasquerade = { masquerade: 'always', why: 'externalPolicyCluster' };
const onlyOffCluster: ClusterMasquerade = { masquerade: 'offCluster', why: 'localDetector' };
const allWithoutDetector: ClusterMasquerade = { masquerade: 'always', why: 'noLocalDetector' };
const noShortCircuits = { pods: false, node: false } as const;
