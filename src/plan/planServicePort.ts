import { cidrContains, parseCidr } from '../common/addresses/cidr.ts';
import { isLoopbackIp } from '../common/addresses/ip.ts';
import type { PlanDialect } from '../dialect/plan/planDialect.ts';
import type { Endpoint } from '../model/endpoint.ts';
import type { NodeFacts } from '../model/nodeFacts.ts';
import type { ServicePort, SourceRange } from '../model/servicePort.ts';
import { categorizeEndpoints, type EndpointCategories } from './categorizeEndpoints.ts';
import { displayName } from './displayName.ts';
import { knownEndpoints } from './knownEndpoints.ts';
import type { NodePlan, ServicePlan } from './plan.ts';
import type { RouteInput, Routes } from './planRoutes.ts';

/** Decides what happens to the traffic of one Service port on one node, for every back end. */
export function planServicePort(
  port: ServicePort,
  facts: NodeFacts,
  { nodeIP }: Pick<NodePlan, 'nodeIP'>,
  routesOf: (input: RouteInput) => Routes,
  dialect: PlanDialect,
): ServicePlan {
  const externalIPs = externalIPsOf(port, dialect);
  const loadBalancerIPs = loadBalancerIPsOf(port, dialect);
  const isExternallyAccessible = port.nodePort !== 0 || loadBalancerIPs.length > 0 || externalIPs.length > 0;

  const isExternalLocal = isExternalPolicyLocal(port, dialect);
  const isInternalLocal = dialect.internalPolicy === 'honored' && port.isInternalPolicyLocal;
  const wantsTopologyHints = wantsHints(port, dialect);
  const usesClusterEndpoints = !isInternalLocal || isExternallyAccessible;
  const usesLocalEndpoints = isInternalLocal || (isExternalLocal && isExternallyAccessible);

  const wanted = { isExternalLocal, usesClusterEndpoints, usesLocalEndpoints, wantsTopologyHints };
  const all = knownEndpoints(port.endpoints, dialect);
  const { cluster, local, sticky, reachable, hasEndpoints, usesHints } = endpointsOf(port, all, facts, wanted, dialect);
  const { internal, external, externalIP, shortCircuits, masqueradesLoopback } = routesOf({
    isInternalLocal,
    isExternalLocal,
    hasEndpoints,
    hasLocal: local.length > 0,
  });
  const sourceRanges = rangesOf(port, dialect);
  return {
    kind: 'servicePlan',
    port,
    displayName: displayName(port, dialect),
    protocol: port.protocol.toLowerCase(),
    externalIPs,
    loadBalancerIPs,
    sourceRanges: sourceRanges.map((range) => (dialect.masksSourceRanges ? range.network : range.written)),
    rangesAllowNode: sourceRanges.length > 0 && holdsNode(sourceRanges, nodeIP, port),
    affinitySeconds: affinitySeconds(port, dialect),
    all,
    cluster,
    local,
    sticky,
    reachable,
    hasEndpoints,
    isExternallyAccessible,
    usesClusterEndpoints,
    usesLocalEndpoints,
    wantsTopologyHints,
    usesHints,
    internal,
    external,
    externalIP,
    shortCircuits,
    masqueradesLoopback,
    isInternalPolicyLocal: isInternalLocal,
    isExternalPolicyLocal: isExternalLocal,
  };
}

/** An unknown node has a loopback address here. */
function holdsNode(ranges: readonly SourceRange[], nodeIP: string, { allowsNode }: ServicePort): boolean {
  if (allowsNode !== undefined && isLoopbackIp(nodeIP)) return allowsNode;
  return ranges.some(({ network }) => isInRange(nodeIP, network));
}

const none: readonly string[] = [];

/** As the version prints them. */
function externalIPsOf({ externalIPs, writtenExternalIPs }: ServicePort, dialect: PlanDialect): readonly string[] {
  if (dialect.ignoresExternalIPs) return [];
  return dialect.externalAddress === 'asWritten' ? writtenExternalIPs : externalIPs;
}

function loadBalancerIPsOf({ loadBalancerIngress }: ServicePort, dialect: PlanDialect): readonly string[] {
  if (loadBalancerIngress.length === 0) return none;
  return loadBalancerIngress
    .filter((ingress) => !dialect.honoursIpMode || ingress.ipMode === 'VIP')
    .map(({ ip, written }) => (dialect.externalAddress === 'asWritten' ? written : ip));
}

/** externalTrafficPolicy Local, as far as the version knows it; 1.4–1.6 also read it from an annotation. */
function isExternalPolicyLocal(port: ServicePort, dialect: PlanDialect): boolean {
  if (dialect.externalPolicy === 'ignored') return false;
  if (dialect.readsBetaAnnotations && port.beta?.isExternalPolicyLocal === true) return true;
  return port.isExternalPolicyLocal && (dialect.externalPolicy === 'ofExternal' || port.type !== 'ClusterIP');
}

interface WantedEndpoints {
  readonly isExternalLocal: boolean;
  readonly usesClusterEndpoints: boolean;
  readonly usesLocalEndpoints: boolean;
  readonly wantsTopologyHints: boolean;
}

function endpointsOf(
  port: ServicePort,
  all: readonly Endpoint[],
  { name, zone }: NodeFacts,
  { isExternalLocal, usesClusterEndpoints, usesLocalEndpoints, wantsTopologyHints }: WantedEndpoints,
  dialect: PlanDialect,
): EndpointCategories {
  const endpoints = cutsToLocal(port, isExternalLocal, dialect) ? all.filter(({ isLocal }) => isLocal) : all;
  const wantsHints = wantsTopologyHints;
  return categorizeEndpoints(
    { endpoints, usesClusterEndpoints, usesLocalEndpoints, wantsHints, node: name, zone },
    dialect,
  );
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

function isInRange(ip: string, range: string): boolean {
  const network = parseCidr(range);
  return network !== undefined && cidrContains(network, ip);
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
