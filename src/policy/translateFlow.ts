import { cidrContains } from '../common/addresses/cidr.ts';
import { canonicalIp, familyOf } from '../common/addresses/ip.ts';
import { addTo } from '../common/addTo.ts';
import { memoized } from '../common/memoized.ts';
import type { Endpoint } from '../model/endpoint.ts';
import type { ServicePort } from '../model/servicePort.ts';
import type { Route, ServicePlan } from '../plan/plan.ts';
import type { Party } from './parties/party.ts';
import type { PolicyFlow } from './policyFlow.ts';
import { type Judge, type PolicyVerdict, verdictOf } from './verdict.ts';

/** The Services of a cluster, and what kube-proxy does with one on each node. */
export interface ClusterServices {
  readonly ports: readonly ServicePort[];
  readonly nodes: readonly string[];
  /** `node` undefined: a node that has no endpoints. */
  readonly planAt: (service: ServicePort, node: string | undefined) => ServicePlan;
}

/** What kube-proxy makes of a connection to a Service: a flow to an endpoint, or its end. */
export type ServiceWay =
  | {
      readonly kind: 'forwarded';
      readonly service: ServicePort;
      /** What the sender's policies judge, with the real sender. */
      readonly atSender: PolicyFlow;
      /** What the receiver's policies judge: its source may be a node's. */
      readonly atReceiver: PolicyFlow;
    }
  | {
      readonly kind: 'refused' | 'dropped';
      readonly service: ServicePort;
      readonly flow: PolicyFlow;
      readonly why: 'noEndpoints' | 'noLocalEndpoints' | 'sourceRanges';
    };

/** How a Service is dialled. */
type AddressKind = 'clusterIP' | 'externalIP' | 'loadBalancer' | 'nodePort';

/** The ways of a flow to an address of a Service, or to a node port; undefined: kube-proxy leaves it alone. */
export function translateFlow(
  judge: Judge,
  services: ClusterServices,
  flow: PolicyFlow,
): readonly ServiceWay[] | undefined {
  const { to, protocol, port } = flow;
  const { byPort, byNodePort } = portIndex(services.ports);
  const asked = `${familyOf(to.ip)} ${protocol} ${port}`;
  for (const service of byPort.get(asked) ?? []) {
    const kind = addressKindOf(service, to.ip);
    if (kind !== undefined) return waysInto(judge, services, service, kind, flow);
  }
  const service = to.node === undefined ? undefined : byNodePort.get(asked)?.[0];
  return service && waysInto(judge, services, service, 'nodePort', flow);
}

/** Ports of Services by family, protocol and number, in their order: many flows may be asked about. */
const portIndex = memoized((ports: readonly ServicePort[]) => {
  const byPort = new Map<string, ServicePort[]>();
  const byNodePort = new Map<string, ServicePort[]>();
  for (const each of ports) {
    addTo(byPort, `${each.family} ${each.protocol} ${each.port}`, each);
    if (each.nodePort !== 0) addTo(byNodePort, `${each.family} ${each.protocol} ${each.nodePort}`, each);
  }
  return { byPort, byNodePort };
});

/** The ways to a Service by its name: pods and nodes dial its cluster IP, others an outside address if it has one. */
export function waysToService(
  judge: Judge,
  services: ClusterServices,
  service: ServicePort,
  from: Party,
): readonly ServiceWay[] {
  const isInside = from.pods.length > 0 || from.node !== undefined;
  const [outside] = [...services.planAt(service, undefined).loadBalancerIPs, ...service.externalIPs];
  const ip = isInside || outside === undefined ? service.clusterIP : (canonicalIp(outside) ?? outside);
  const flow: PolicyFlow = { from, to: judge.partyAt(ip), protocol: service.protocol, port: service.port };
  return waysInto(judge, services, service, addressKindOf(service, ip) ?? 'clusterIP', flow);
}

export function judgeTranslated(
  judge: Judge,
  { atSender, atReceiver }: Extract<ServiceWay, { kind: 'forwarded' }>,
): PolicyVerdict {
  const sent = judge.judge(atSender);
  const received = judge.judge(atReceiver);
  return verdictOf(sent.egress, received.ingress, [...new Set([...sent.others, ...received.others])]);
}

function addressKindOf(
  { clusterIP, externalIPs, loadBalancerIngress }: ServicePort,
  ip: string,
): AddressKind | undefined {
  if (clusterIP === ip) return 'clusterIP';
  if (externalIPs.includes(ip)) return 'externalIP';
  const isVirtual = loadBalancerIngress.some((each) => each.ipMode === 'VIP' && canonicalIp(each.ip) === ip);
  return isVirtual ? 'loadBalancer' : undefined;
}

/** A node port is translated by its node, anything else by the sender's; who comes from outside may come to any. */
function waysInto(
  judge: Judge,
  services: ClusterServices,
  service: ServicePort,
  kind: AddressKind,
  flow: PolicyFlow,
): readonly ServiceWay[] {
  const { from, to } = flow;
  const own = from.node?.name ?? from.pods.find(({ node }) => node !== undefined)?.node;
  const dialled = kind === 'nodePort' ? to.node?.name : own;
  const nodes = dialled !== undefined ? [dialled] : services.nodes.length > 0 ? services.nodes : [undefined];
  const ways = new Map<string, ServiceWay>();
  for (const node of nodes) {
    for (const way of waysAt(judge, services.planAt(service, node), kind, flow, node, node === own)) {
      const key =
        way.kind === 'forwarded'
          ? `${way.atReceiver.to.ip} ${way.atReceiver.port} ${way.atReceiver.from.ip}`
          : `${way.kind} ${way.why}`;
      if (!ways.has(key)) ways.set(key, way);
    }
  }
  return [...ways.values()];
}

/** What one node does. `isOwn`: the sender is on it. */
function waysAt(
  judge: Judge,
  plan: ServicePlan,
  kind: AddressKind,
  flow: PolicyFlow,
  node: string | undefined,
  isOwn: boolean,
): readonly ServiceWay[] {
  const { port: service } = plan;
  const route = routeOf(plan, kind, isOwn ? flow.from : undefined);
  if (route.kind === 'reject') return [{ kind: 'refused', service, flow, why: 'noEndpoints' }];
  if (kind === 'loadBalancer' && !isInRanges(plan, flow)) {
    return [{ kind: 'dropped', service, flow, why: 'sourceRanges' }];
  }
  if (route.kind === 'drop') return [{ kind: 'dropped', service, flow, why: 'noLocalEndpoints' }];
  const endpoints = route.over === 'local' ? plan.local : plan.cluster;
  return endpoints.map((endpoint) => {
    const atEndpoint = receivedBy(judge, flow, endpoint);
    // Where a node passes on what came from outside, the other filter sees the node.
    const isMasked = kind !== 'clusterIP' && route.masquerade === 'always' && !isOnNode(atEndpoint.to, node);
    const mask = kind === 'nodePort' ? flow.to : judge.partyOfNodeNamed(node, service.family);
    const atReceiver = isMasked && mask !== undefined ? { ...atEndpoint, from: mask } : atEndpoint;
    // A pod elsewhere sends to the node: there only the node translates, behind the sender's filter.
    const atSender = kind === 'nodePort' && !isOwn ? flow : atEndpoint;
    return { kind: 'forwarded', service, atSender, atReceiver };
  });
}

/** Under policy Local, a node's own pods and processes may reach all endpoints by addresses that are open outside. */
function routeOf(plan: ServicePlan, kind: AddressKind, own: Party | undefined): Route {
  if (kind === 'clusterIP') return plan.internal;
  const route = kind === 'externalIP' ? plan.externalIP : plan.external;
  const { pods, node } = plan.shortCircuits;
  const isShort = own !== undefined && (own.node === undefined ? pods : node);
  if (!isShort || plan.cluster.length === 0) return route;
  return { ...route, kind: 'balance', over: 'cluster', masquerade: 'never' };
}

/** Source ranges guard the addresses of load balancers only, not node ports. */
function isInRanges({ sourceRanges, rangesAllowNode }: ServicePlan, { from, to }: PolicyFlow): boolean {
  if (sourceRanges.length === 0 || (rangesAllowNode && from.ip === to.ip)) return true;
  return sourceRanges.some((range) => cidrContains(range, from.ip));
}

function receivedBy(judge: Judge, flow: PolicyFlow, { ip, port }: Endpoint): PolicyFlow {
  return { ...flow, to: judge.partyAt(canonicalIp(ip) ?? ip), port, isViaService: true };
}

function isOnNode({ pods, node }: Party, name: string | undefined): boolean {
  return name === undefined || node?.name === name || pods.some((pod) => pod.node === name);
}
