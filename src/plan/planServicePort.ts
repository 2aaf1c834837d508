import { cidrContains, parseCidr } from '../common/cidr.ts';
import type { PlanDialect } from '../dialect/plan/planDialect.ts';
import type { NodeFacts } from '../model/nodeFacts.ts';
import type { ServicePort, SourceRange } from '../model/servicePort.ts';
import { categorizeEndpoints } from './categorizeEndpoints.ts';
import { displayName } from './displayName.ts';
import { knownEndpoints } from './knownEndpoints.ts';
import type { NodePlan, Route, ServicePlan } from './plan.ts';

/** Decides what happens to the traffic of one Service port on one node, for every back end. */
export function planServicePort(
  port: ServicePort,
  facts: NodeFacts,
  node: Pick<NodePlan, 'nodeIP' | 'localDetector' | 'clusterMasquerade'>,
  dialect: PlanDialect,
): ServicePlan {
  const address = (one: { readonly ip: string; readonly written: string }) =>
    dialect.externalAddress === 'asWritten' ? one.written : one.ip;
  const externalIPs = port.externalIPs.map((ip, index) =>
    address({ ip, written: port.writtenExternalIPs[index] ?? ip }),
  );
  const loadBalancerIPs = port.loadBalancerIngress
    .filter((ingress) => !dialect.honoursIpMode || ingress.ipMode === 'VIP')
    .map(address);
  const isExternallyAccessible = port.nodePort !== 0 || loadBalancerIPs.length > 0 || externalIPs.length > 0;

  const isExternalLocal = isExternalPolicyLocal(port, dialect);
  const isInternalLocal = dialect.internalPolicy === 'honoured' && port.isInternalPolicyLocal;
  const wantsTopologyHints = wantsHints(port, dialect);
  const usesClusterEndpoints = !isInternalLocal || isExternallyAccessible;
  const usesLocalEndpoints = isInternalLocal || (isExternalLocal && isExternallyAccessible);

  const all = knownEndpoints(port.endpoints, dialect);
  const { cluster, local, sticky, reachable, hasEndpoints, usesHints } = categorizeEndpoints(
    {
      endpoints: cutsToLocal(port, isExternalLocal, dialect) ? all.filter((endpoint) => endpoint.isLocal) : all,
      usesClusterEndpoints,
      usesLocalEndpoints,
      wantsHints: wantsTopologyHints,
      node: facts.name,
      zone: facts.zone,
    },
    dialect,
  );

  // A Local policy that finds nothing here drops, so that the client tries another node; no endpoint at all rejects.
  const isShort = local.length === 0 && !dialect.fallsBackToCluster;
  const hasInternalEndpoints = hasEndpoints && !(isInternalLocal && isShort);
  const hasExternalEndpoints = hasEndpoints && !(isExternalLocal && isShort);
  const route = (isLocal: boolean, masquerade: Pick<Route, 'masquerade' | 'why'>): Route => {
    const kind = !hasEndpoints ? 'reject' : isLocal && isShort ? 'drop' : 'balance';
    return { kind, over: isLocal && (local.length > 0 || isShort) ? 'local' : 'cluster', ...masquerade };
  };

  const sourceRanges = rangesOf(port, dialect);
  return {
    kind: 'servicePlan',
    port,
    displayName: displayName(port, dialect),
    protocol: port.protocol.toLowerCase(),
    externalIPs,
    loadBalancerIPs,
    sourceRanges: sourceRanges.map((range) => (dialect.masksSourceRanges ? range.network : range.written)),
    rangesAllowNode: sourceRanges.some((range) => {
      const network = parseCidr(range.network);
      return network !== undefined && cidrContains(network, node.nodeIP);
    }),
    affinitySeconds: affinitySeconds(port, dialect),
    all,
    cluster,
    local,
    sticky,
    reachable,
    hasEndpoints,
    hasInternalEndpoints,
    hasExternalEndpoints,
    isExternallyAccessible,
    usesClusterEndpoints,
    usesLocalEndpoints,
    wantsTopologyHints,
    usesHints,
    internal: route(isInternalLocal, node.clusterMasquerade),
    external: route(isExternalLocal, isExternalLocal ? keepsSource : answersComeBack),
    externalIP: externalIPRoute(),
    bypassesLocal: {
      pods: isExternalLocal && dialect.podsBypassLocal && node.localDetector !== undefined,
      node: isExternalLocal && dialect.nodeBypassesLocal,
    },
    masqueradesLoopback: isExternalLocal && dialect.masqueradesLoopbackNodePort,
    isInternalPolicyLocal: isInternalLocal,
    isExternalPolicyLocal: isExternalLocal,
  };

  function externalIPRoute(): Route {
    if (isExternalLocal && dialect.externalIPHonoursLocal) return route(true, keepsSource);
    if (dialect.externalIPMasquerade === 'always') return route(false, answersComeBack);
    return route(
      false,
      node.localDetector === undefined
        ? { masquerade: 'always', why: 'noLocalDetector' }
        : { masquerade: 'offCluster', why: 'localDetector' },
    );
  }
}

const keepsSource = { masquerade: 'never', why: 'externalPolicyLocal' } as const;
const answersComeBack = { masquerade: 'always', why: 'externalPolicyCluster' } as const;

/** externalTrafficPolicy Local, as far as the version knows it; 1.4–1.6 also read it from an annotation. */
function isExternalPolicyLocal(port: ServicePort, dialect: PlanDialect): boolean {
  if (dialect.externalPolicy === 'ignored') return false;
  if (dialect.readsBetaAnnotations && port.beta?.isExternalPolicyLocal === true) return true;
  return port.isExternalPolicyLocal && (dialect.externalPolicy === 'ofExternal' || port.type !== 'ClusterIP');
}

/** 1.22 and 1.23 cut the endpoint list to local ones, in iptables mode only if the external policy is not Local too. */
function cutsToLocal(port: ServicePort, isExternalLocal: boolean, dialect: PlanDialect): boolean {
  if (!port.isInternalPolicyLocal) return false;
  return dialect.internalPolicy === 'cut' || (dialect.internalPolicy === 'cutUnlessExternalLocal' && !isExternalLocal);
}

function rangesOf(port: ServicePort, dialect: PlanDialect): readonly SourceRange[] {
  const own = port.sourceRanges.length > 0 || !dialect.readsBetaAnnotations;
  const given = own ? port.sourceRanges : (port.beta?.sourceRanges ?? []);
  const counted = dialect.trimsSourceRanges ? given : given.filter(({ isPadded }) => !isPadded);
  const isOpen = dialect.opensByZeroRange && counted.some(({ network }) => network.endsWith('/0'));
  return isOpen ? [] : counted;
}

function affinitySeconds(port: ServicePort, dialect: PlanDialect): number | undefined {
  const own = port.affinitySeconds;
  return own === undefined || dialect.affinitySeconds === 'field' ? own : dialect.affinitySeconds;
}

/** Whether the Service's annotations ask for topology hints, as the version reads them. */
function wantsHints(port: ServicePort, dialect: PlanDialect): boolean {
  switch (dialect.hints) {
    case 'off':
      return false;
    case 'auto':
      return port.topologyAwareHints === 'Auto' || port.topologyAwareHints === 'auto';
    case 'any': {
      const mode = port.topologyAwareHints ?? port.topologyMode ?? '';
      return mode !== '' && mode !== 'disabled' && mode !== 'Disabled';
    }
    case 'always':
      return true;
  }
}
