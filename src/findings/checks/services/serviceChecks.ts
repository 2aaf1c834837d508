import { isWithin, parseCidr } from '../../../common/addresses/cidr.ts';
import { isLoopbackIp } from '../../../common/addresses/ip.ts';
import type { NodeFacts } from '../../../model/nodeFacts.ts';
import type { ServicePort } from '../../../model/servicePort.ts';
import type { Plan, ServicePlan } from '../../../plan/plan.ts';
import { servicePortName } from '../../../plan/servicePortName.ts';
import type { FindingCode } from '../../../problems/problemCode.ts';
import type { Finding } from '../../finding.ts';
import { type FindingParts, makeFinding } from '../../makeFinding.ts';

/** K8N305–307, 501, 502 and 506: what a node's plan means for the clients of each Service. */
export function serviceChecks(
  plan: Plan,
  { zone }: Pick<NodeFacts, 'zone'>,
  emptyPorts: ReadonlyMap<ServicePort, string>,
): readonly Finding[] {
  const findings: Finding[] = [];
  const portCounts = countPorts(plan);
  for (const service of plan.services) {
    const { port } = service;
    const add = (id: FindingCode, parts: FindingParts) => {
      findings.push(makeFinding(id, { service: servicePortName(service.port), places: [port.origin], ...parts }));
    };
    if (!service.hasEndpoints) add('K8N501', { what: noEndpoints(service, emptyPorts) });
    else if (isDropped(service)) {
      add('K8N502', { what: 'policy Local, and no endpoint on this node: traffic is dropped' });
    }
    const used = service.reachable;
    if (used.length > 0 && used.every(({ isTerminating }) => isTerminating)) {
      add('K8N306', {
        what:
          used.length === 1
            ? 'the only endpoint in use is terminating'
            : `all ${used.length} endpoints in use are terminating`,
      });
    }
    const unused = unusedHints(service, zone);
    if (unused !== undefined) add('K8N307', { ...unused, what: `hints are not used: ${unused.what}` });
    if (port.affinitySeconds !== undefined) {
      for (const limit of affinityLimits(service, portCounts)) add('K8N305', limit);
    }
    const ranges = rangeGaps(service, plan);
    if (ranges !== undefined) add('K8N506', { what: ranges });
  }
  return findings;
}

function isDropped({ internal, external, isExternallyAccessible }: ServicePlan): boolean {
  return internal.kind === 'drop' || (isExternallyAccessible && external.kind === 'drop');
}

function noEndpoints({ port }: ServicePlan, emptyPorts: ReadonlyMap<ServicePort, string>): string {
  const { length } = port.endpoints;
  if (length === 1) return 'its only endpoint is not ready: traffic is refused';
  if (length > 0) return `none of ${length} endpoints is ready: traffic is refused`;
  const reason = emptyPorts.get(port);
  return `no endpoints at all, so traffic is refused${reason === undefined ? '' : `: ${reason}`}`;
}

/**
 * Why endpoints of all zones are used although some have hints; undefined: they are not, or hints would change nothing.
 */
function unusedHints(
  { all, usesClusterEndpoints, wantsTopologyHints, usesHints }: ServicePlan,
  zone: string,
): FindingParts | undefined {
  // Nearly all Services have none.
  if (usesHints || !all.some(({ zoneHints }) => zoneHints.length > 0)) return undefined;
  const ready = all.filter(({ isReady }) => isReady);
  const bare = ready.filter(({ zoneHints }) => zoneHints.length === 0).length;
  if (!usesClusterEndpoints || ready.length < 2 || bare === ready.length) return undefined;
  if (!wantsTopologyHints) return unasked;
  if (zone === '') return { what: 'the node has no label topology.kubernetes.io/zone', ...nodeWithoutZone };
  if (bare > 0) {
    const which = ready.length === 1 ? 'the only ready endpoint has none' : undefined;
    return { what: which ?? `${bare} of ${ready.length} ready endpoints ${bare === 1 ? 'has' : 'have'} none` };
  }
  const seen =
    ready.length === 1
      ? `the only ready endpoint is not for zone ${zone}`
      : `none of ${ready.length} ready endpoints is for zone ${zone}`;
  return { what: seen, ...zoneWithoutEndpoints };
}

const unasked: FindingParts = {
  what: 'this version of kube-proxy wants the Service to ask for them by annotation',
  why: 'Hints count without an annotation from kube-proxy 1.31 on; before 1.24 they are ignored.',
  fix: 'Nothing to do if endpoints of all zones may serve; else upgrade kube-proxy, or annotate the Service: `kubectl -n NAMESPACE annotate service NAME service.kubernetes.io/topology-mode=Auto` (through 1.26 `service.kubernetes.io/topology-aware-hints=Auto`).',
};

const nodeWithoutZone = {
  why: 'A node without a zone cannot tell which endpoints are near.',
  fix: 'See which nodes lack a zone: `kubectl get nodes -L topology.kubernetes.io/zone`. A cloud provider sets the label; elsewhere: `kubectl label node NODE topology.kubernetes.io/zone=ZONE`.',
};

const zoneWithoutEndpoints = {
  why: 'A zone for which no endpoint is meant gets all of them.',
  fix: 'Nothing to do if endpoints of other zones may serve; else run Pods in this zone. Where they are: `kubectl -n NAMESPACE get endpointslices -l kubernetes.io/service-name=NAME -o yaml`.',
};

function affinityLimits(
  { port, isExternallyAccessible, isExternalPolicyLocal }: ServicePlan,
  portCounts: ReadonlyMap<string, number>,
): readonly FindingParts[] {
  const ports = portCounts.get(`${port.namespace}/${port.name}`) ?? 0;
  return [
    // With policy Local, the load balancer in front chooses among the nodes that have endpoints.
    ...(isExternallyAccessible && !isExternalPolicyLocal
      ? [
          {
            what: 'each node remembers clients by itself: one from outside that comes by several nodes may get another endpoint at each',
          },
        ]
      : []),
    ...(ports > 1
      ? [{ what: `each of ${ports} ports remembers clients by itself: a client may get another endpoint at each` }]
      : []),
  ];
}

function countPorts({ services }: Plan): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { port } of services) {
    const name = `${port.namespace}/${port.name}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** Effects of loadBalancerSourceRanges that are easily forgotten: whom they shut out, and what they do not guard. */
function rangeGaps(
  { port, sourceRanges, loadBalancerIPs, rangesAllowNode }: ServicePlan,
  { node }: Plan,
): string | undefined {
  if (sourceRanges.length === 0) return undefined;
  const { nodeIP, localDetector } = node;
  const pods = localDetector?.kind === 'cidr' ? parseCidr(localDetector.cidr) : undefined;
  const holdsPods = (range: string) => {
    const network = parseCidr(range);
    return network !== undefined && pods !== undefined && isWithin(pods, network);
  };
  const isNodeKnown = !isLoopbackIp(nodeIP);
  const isNodeOut = !rangesAllowNode && (isNodeKnown || port.allowsNode === false);
  const shutOut = [
    ...(isNodeOut ? [`the node itself${isNodeKnown ? ` (${nodeIP})` : ''}`] : []),
    ...(pods === undefined || sourceRanges.some(holdsPods) ? [] : [`Pods (${pods.text})`]),
  ];
  const gaps = [
    ...(loadBalancerIPs.length > 0 && shutOut.length > 0
      ? [`${shutOut.join(' and ')} cannot use the load balancer’s addresses`]
      : []),
    ...(port.nodePort > 0 ? [`node port ${port.nodePort} stays open to all`] : []),
  ];
  return gaps.length === 0 ? undefined : `source ranges: ${gaps.join('; ')}`;
}
