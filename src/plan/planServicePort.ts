import { cidrContains, parseCidr } from '../common/cidr.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Endpoint } from '../model/endpoint.ts';
import type { NodeFacts } from '../model/nodeFacts.ts';
import type { ServicePort, SourceRange } from '../model/servicePort.ts';
import { categorizeEndpoints } from './categorizeEndpoints.ts';
import type { Route, ServicePlan } from './plan.ts';

/**
 * Decides what happens to the traffic of one Service port on one node, for every back end.
 * `nodeIP` is the node's address of the port's family.
 */
export function planServicePort(port: ServicePort, node: NodeFacts, nodeIP: string, dialect: Dialect): ServicePlan {
  const loadBalancerIPs = port.loadBalancerIngress
    .filter((ingress) => !dialect.honoursIpMode || ingress.ipMode === 'VIP')
    .map((ingress) => ingress.ip);
  const isExternallyAccessible = port.nodePort !== 0 || loadBalancerIPs.length > 0 || port.externalIPs.length > 0;

  // Versions without a chain for node-local traffic know no Local policy; 1.4–1.6 also read it from an annotation.
  const knowsExternalPolicy = dialect.external === 'xlb' || dialect.external === 'ext';
  const asksExternalLocal =
    port.isExternalPolicyLocal || (dialect.readsBetaAnnotations && port.beta?.isExternalPolicyLocal === true);
  const isExternalLocal = knowsExternalPolicy && asksExternalLocal;
  // 1.22 and 1.23 cut the endpoint list instead, and only for Services whose external policy is not Local as well.
  const isInternalLocal = dialect.internalPolicy === 'svl' && port.isInternalPolicyLocal;
  const cutsToLocal = dialect.internalPolicy === 'cut' && port.isInternalPolicyLocal && !isExternalLocal;

  const wantsTopologyHints = wantsHints(port, dialect);
  const usesClusterEndpoints = !isInternalLocal || isExternallyAccessible;
  const usesLocalEndpoints = isInternalLocal || (isExternalLocal && isExternallyAccessible);

  const given = cutsToLocal ? port.endpoints.filter((endpoint) => endpoint.isLocal) : port.endpoints;
  const all = dialect.endpointOrder === 'sorted' ? sortByAddress(given) : given;
  const { cluster, local, reachable, hasEndpoints } = categorizeEndpoints(
    {
      endpoints: all,
      usesClusterEndpoints,
      usesLocalEndpoints,
      wantsHints: wantsTopologyHints,
      zone: node.zone,
    },
    dialect,
  );

  // A Local policy that finds nothing here drops, so that the client tries another node; no endpoint at all rejects.
  const hasInternalEndpoints = hasEndpoints && !(isInternalLocal && local.length === 0);
  const hasExternalEndpoints = hasEndpoints && !(isExternalLocal && local.length === 0);

  const sourceRanges = rangesOf(port, dialect);
  return {
    kind: 'servicePlan',
    port,
    displayName: displayName(port, dialect),
    protocol: port.protocol.toLowerCase(),
    loadBalancerIPs,
    sourceRanges: sourceRanges.map((range) => (dialect.masksSourceRanges ? range.network : range.written)),
    rangesAllowNode: sourceRanges.some((range) => {
      const network = parseCidr(range.network);
      return network !== undefined && cidrContains(network, nodeIP);
    }),
    all,
    cluster,
    local,
    reachable,
    hasEndpoints,
    hasInternalEndpoints,
    hasExternalEndpoints,
    isExternallyAccessible,
    usesClusterEndpoints,
    usesLocalEndpoints,
    wantsTopologyHints,
    internal: route(hasEndpoints, hasInternalEndpoints, isInternalLocal, 'offCluster'),
    // Traffic under policy Local keeps its source: the endpoint is on this node and answers through it.
    external: route(hasEndpoints, hasExternalEndpoints, isExternalLocal, isExternalLocal ? 'never' : 'always'),
    isInternalPolicyLocal: isInternalLocal,
    isExternalPolicyLocal: isExternalLocal,
  };
}

function route(
  hasEndpoints: boolean,
  hasUsable: boolean,
  isLocal: boolean,
  masquerade: 'never' | 'offCluster' | 'always',
): Route {
  if (!hasEndpoints) return { kind: 'reject' };
  if (!hasUsable) return { kind: 'drop' };
  return { kind: 'balance', over: isLocal ? 'local' : 'cluster', masquerade };
}

function displayName(port: ServicePort, dialect: Dialect): string {
  const name = `${port.namespace}/${port.name}`;
  return port.portName === '' && dialect.servicePortColon === 'onlyNamed' ? name : `${name}:${port.portName}`;
}

/** By `ip:port` as text, as kube-proxy sorts what it reads from EndpointSlices: 10.0.0.10 stands before 10.0.0.9. */
function sortByAddress(endpoints: readonly Endpoint[]): readonly Endpoint[] {
  let isSorted = true;
  for (let at = 1; at < endpoints.length && isSorted; at++) {
    isSorted = (endpoints[at - 1] as Endpoint).address <= (endpoints[at] as Endpoint).address;
  }
  if (isSorted) return endpoints;
  return [...endpoints].sort((a, b) => (a.address < b.address ? -1 : a.address > b.address ? 1 : 0));
}

function rangesOf(port: ServicePort, dialect: Dialect): readonly SourceRange[] {
  if (port.sourceRanges.length > 0 || !dialect.readsBetaAnnotations) return port.sourceRanges;
  return port.beta?.sourceRanges ?? [];
}

/** Whether the Service's annotations ask for topology hints, as the version reads them. */
function wantsHints(port: ServicePort, dialect: Dialect): boolean {
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
