import { canonicalIp, familyOf } from '../common/ip.ts';
import type { Endpoint } from '../model/endpoint.ts';
import type { ServicePort } from '../model/servicePort.ts';
import type { Flow, Judge, Party, Verdict } from './verdict.ts';

/** A connection to a Service behind its translation: what the sender's and the receiver's filters see of it. */
export interface TranslatedFlow {
  readonly service: ServicePort;
  /** What the sender's policies judge, with the real sender. */
  readonly atSender: Flow;
  /** What the receiver's policies judge: its source may be a node's. */
  readonly atReceiver: Flow;
}

/** The flows that kube-proxy makes of one to an address of a Service, or to a node port; undefined: it leaves it alone. */
export function translateFlow(
  judge: Judge,
  servicePorts: readonly ServicePort[],
  flow: Flow,
): readonly TranslatedFlow[] | undefined {
  const { to, protocol, port } = flow;
  const ofProtocol = servicePorts.filter((each) => each.protocol === protocol && each.family === familyOf(to.ip));
  const service =
    ofProtocol.find((each) => each.port === port && hasAddress(each, to.ip)) ??
    ofProtocol.find((each) => to.node !== undefined && each.nodePort !== 0 && each.nodePort === port);
  if (service === undefined) return undefined;
  const node = hasAddress(service, to.ip) ? undefined : to.node;
  return readyEndpoints(service).flatMap((endpoint): TranslatedFlow[] => {
    const receiver = judge.partyAt(endpoint.ip);
    const direct: Flow = { ...flow, to: receiver, port: endpoint.port, isViaService: true };
    if (node === undefined) return [{ service, atSender: direct, atReceiver: direct }];
    const isLocal = receiver.pods.some((pod) => pod.node === node.name);
    const isOwnNode = flow.from.node === node || flow.from.pods.some((pod) => pod.node === node.name);
    // Node ports with policy Local lead to that node's pods only, but for its own pods and processes.
    if (!isLocal && service.isExternalPolicyLocal && !isOwnNode) return [];
    // A pod elsewhere sends to the node: there only the node translates, behind the sender's filter.
    const atSender = isOwnNode ? direct : flow;
    // What a node passes on to another is masqueraded: the other filter sees the first node.
    const atReceiver = isLocal || isOwnNode ? direct : { ...direct, from: to };
    return [{ service, atSender, atReceiver }];
  });
}

/** The flow to each ready endpoint of a Service by its name. */
export function flowsToService(judge: Judge, service: ServicePort, from: Party): readonly TranslatedFlow[] {
  return readyEndpoints(service).map((endpoint) => {
    const to = judge.partyAt(endpoint.ip);
    const flow: Flow = { from, to, protocol: service.protocol, port: endpoint.port, isViaService: true };
    return { service, atSender: flow, atReceiver: flow };
  });
}

export function judgeTranslated(judge: Judge, { atSender, atReceiver }: TranslatedFlow): Verdict {
  const { egress } = judge.judge(atSender);
  const { ingress } = judge.judge(atReceiver);
  return { isAllowed: egress.kind === 'allowed' && ingress.kind === 'allowed', egress, ingress };
}

function readyEndpoints(service: ServicePort): readonly Endpoint[] {
  return service.endpoints.filter(({ isReady, ip }) => isReady && familyOf(ip) === service.family);
}

function hasAddress({ clusterIP, externalIPs, loadBalancerIngress }: ServicePort, ip: string): boolean {
  return (
    clusterIP === ip || externalIPs.includes(ip) || loadBalancerIngress.some((entry) => canonicalIp(entry.ip) === ip)
  );
}
