import type { Family } from '../common/addresses/family.ts';
import { didYouMean } from '../common/text/didYouMean.ts';
import { partyWords } from '../common/text/partyWords.ts';
import type { OtherPolicy, PolicyModel } from '../model/policyModel.ts';
import type { ServicePort } from '../model/servicePort.ts';
import { familiesOf } from './familiesOf.ts';
import { factsCommand, factsText } from './missing/missingFact.ts';
import { portsOf } from './missing/missingFacts.ts';
import { type OpenPorts, openPorts } from './openPorts.ts';
import { findParty, type PartyName, partyIn } from './parties/findParty.ts';
import { noSuchParty } from './parties/noSuchParty.ts';
import type { Party } from './parties/party.ts';
import type { PolicyFlow } from './policyFlow.ts';
import type { PortSpec } from './portSpec.ts';
import {
  type ClusterServices,
  judgeTranslated,
  type ServiceWay,
  translateFlow,
  waysToService,
} from './translateFlow.ts';
import { createJudge, type Judge, type PolicyVerdict, type VerdictOptions } from './verdict.ts';

export interface TestRequest {
  readonly from: string;
  /** As `from`, or `svc/namespace/name`. */
  readonly to: string;
  /** Undefined: which ports are open? */
  readonly port: PortSpec | undefined;
  /** Undefined: every family that both speak. */
  readonly family: Family | undefined;
}

/** One connection that was judged; behind a Service one for every endpoint. */
export interface FlowCheck {
  readonly family: Family;
  readonly from: Party;
  readonly to: Party;
  /** `namespace/name:port` of the Service that was dialled. */
  readonly via: string | undefined;
  /** As it arrives: behind the translation, perhaps from a node that passed it on. */
  readonly flow: PolicyFlow | undefined;
  /** What kube-proxy does with it whatever policies say; undefined: it goes on. */
  readonly end: ServiceEnd | undefined;
  /** Of `flow`; undefined where no port was asked for. */
  readonly verdict: PolicyVerdict | undefined;
  readonly open: OpenPorts | undefined;
  /** Surely. */
  readonly isAllowed: boolean;
  /** Neither allowed nor denied for sure: see the verdict, or the ports. */
  readonly isUnknown: boolean;
  /** Policies of other kinds that decide too. */
  readonly others: readonly OtherPolicy[];
}

/** kube-proxy refuses a Service without endpoints, and drops what may not enter or finds no endpoint on its node. */
export interface ServiceEnd {
  readonly kind: 'refused' | 'dropped';
  readonly why: Extract<ServiceWay, { kind: 'refused' | 'dropped' }>['why'];
}

export type TestOutcome =
  | {
      readonly kind: 'checked';
      readonly checks: readonly FlowCheck[];
      readonly isAllowed: boolean;
      /** No check is denied for sure, and one of them is unknown. */
      readonly isUnknown: boolean;
    }
  /** Whom a text means, or what stands in the way of an answer. */
  | { readonly kind: 'unanswerable'; readonly message: string };

/**
 * May `from` connect to `to`? Allowed means: on every way there is, to every endpoint that kube-proxy may choose, in every
 * family.
 */
export function testPolicy(
  model: PolicyModel,
  services: ClusterServices,
  request: TestRequest,
  options: VerdictOptions = {},
): TestOutcome {
  return policyTester(model, services, options)(request);
}

/** The same for many questions about one cluster. */
export function policyTester(
  model: PolicyModel,
  services: ClusterServices,
  options: VerdictOptions = {},
): (request: TestRequest) => TestOutcome {
  const judge = createJudge(model, options);
  return (request) => answer(model, judge, services, request);
}

function answer(model: PolicyModel, judge: Judge, services: ClusterServices, request: TestRequest): TestOutcome {
  const from = findParty(model, request.from);
  if (from === undefined) return { kind: 'unanswerable', message: noSuchParty(model, request.from) };
  const families = (['ipv4', 'ipv6'] as const).filter(
    (each) => request.family === undefined || request.family === each,
  );
  const serviceId = serviceAsked(model, services, request.to);
  const checks =
    serviceId === undefined
      ? directChecks(model, judge, from, services, request, families)
      : serviceChecks(judge, from, services, serviceId, request, families);
  if (typeof checks === 'string') return { kind: 'unanswerable', message: checks };
  const isUnknown =
    checks.some((check) => check.isUnknown) && checks.every((check) => check.isUnknown || check.isAllowed);
  return { kind: 'checked', checks, isAllowed: checks.every(({ isAllowed }) => isAllowed), isUnknown };
}

/** A Service by its kind, or by a name that it has and no Pod. */
function serviceAsked(model: PolicyModel, { ports }: ClusterServices, text: string): string | undefined {
  const [, name] = /^svc\/(.+)$/.exec(partyWords(text)) ?? [];
  if (name !== undefined) return name.includes('/') ? name : `default/${name}`;
  if (!text.includes('/') || findParty(model, text) !== undefined) return undefined;
  return ports.some((port) => `${port.namespace}/${port.name}` === text) ? text : undefined;
}

function directChecks(
  model: PolicyModel,
  judge: Judge,
  from: PartyName,
  services: ClusterServices,
  request: TestRequest,
  families: readonly Family[],
): readonly FlowCheck[] | string {
  const to = findParty(model, request.to);
  if (to === undefined) return noSuchParty(model, request.to);
  const shared = families.filter((family) => familiesOf(from).includes(family) && familiesOf(to).includes(family));
  const checks: FlowCheck[] = [];
  for (const family of shared) {
    const sender = partyIn(judge, from, family);
    const receiver = partyIn(judge, to, family);
    if (sender === undefined || receiver === undefined) continue;
    if (request.port === undefined) {
      const open = openPorts(judge, sender, receiver);
      const isOpen = open.isEverything || open.ranges.length > 0;
      const isUnknown = open.others.length > 0 || (!isOpen && open.perhaps !== 'none');
      checks.push({
        family,
        from: sender,
        to: receiver,
        via: undefined,
        flow: undefined,
        end: undefined,
        verdict: undefined,
        open,
        isAllowed: isOpen && !isUnknown,
        isUnknown,
        others: open.others,
      });
      continue;
    }
    const flow = flowTo(sender, receiver, request.port);
    if (flow === undefined) return noSuchPort(request, request.port, receiver);
    const ways = translateFlow(judge, services, flow);
    if (ways === undefined) checks.push(checkOf(judge, family, flow));
    else for (const each of wayChecks(judge, family, ways)) checks.push(each);
  }
  if (checks.length > 0) return checks;
  const silent = [from, to].find((party) => familiesOf(party).length === 0);
  if (silent !== undefined) return withoutAddress(silent);
  return `${request.from} and ${request.to} have no address of the same IP family`;
}

/** Endpoints and their ports, as kube-proxy translates; addresses that are no pods are judged as such. */
function serviceChecks(
  judge: Judge,
  from: PartyName,
  services: ClusterServices,
  id: string,
  { port, from: fromText }: TestRequest,
  families: readonly Family[],
): readonly FlowCheck[] | string {
  const ofService = services.ports.filter(({ namespace, name }) => `${namespace}/${name}` === id);
  if (ofService.length === 0) {
    const close = didYouMean(
      id,
      services.ports.map(({ namespace, name }) => `${namespace}/${name}`),
    );
    return `Service ${id} not found, or kube-proxy has no rules for it${close === undefined ? '' : `; did you mean ${close}?`}`;
  }
  const dialled = ofService.filter((each) => port === undefined || isDialled(each, port));
  if (dialled.length === 0) return `Service ${id} has no ${port === undefined ? 'port' : portText(port)}`;
  const checks: FlowCheck[] = [];
  for (const service of dialled) {
    const sender = families.includes(service.family) ? partyIn(judge, from, service.family) : undefined;
    if (sender === undefined) continue;
    const ways = waysToService(judge, services, service, sender);
    for (const each of wayChecks(judge, service.family, ways)) checks.push(each);
  }
  if (checks.length > 0) return checks;
  if (familiesOf(from).length === 0) return withoutAddress(from);
  return `${fromText} has no address of an IP family of Service ${id}`;
}

function isDialled(service: ServicePort, port: PortSpec): boolean {
  if (port.kind === 'icmp') return false;
  if (service.protocol !== port.protocol) return false;
  return port.kind === 'number' ? service.port === port.port : service.portName === port.name;
}

function checkOf(judge: Judge, family: Family, flow: PolicyFlow): FlowCheck {
  const verdict = judge.judge(flow);
  const { from, to } = flow;
  return {
    family,
    from,
    to,
    via: undefined,
    flow,
    end: undefined,
    verdict,
    open: undefined,
    ...answerOf(verdict),
  };
}

function answerOf({
  isAllowed,
  isUnknown,
  others,
}: PolicyVerdict): Pick<FlowCheck, 'isAllowed' | 'isUnknown' | 'others'> {
  return { isAllowed, isUnknown, others };
}

/** Ways that end alike are told once: of many nodes that pass a connection on, one is enough. */
function wayChecks(judge: Judge, family: Family, ways: readonly ServiceWay[]): readonly FlowCheck[] {
  const checks = new Map<string, FlowCheck>();
  for (const way of ways) {
    const check = wayCheck(judge, family, way);
    const { verdict, end, to, flow } = check;
    const isMasked = flow?.from.ip !== check.from.ip;
    const key = JSON.stringify([to.ip, flow?.port, end, isMasked, verdict?.egress.kind, verdict?.ingress.kind]);
    if (!checks.has(key)) checks.set(key, check);
  }
  return [...checks.values()];
}

function wayCheck(judge: Judge, family: Family, way: ServiceWay): FlowCheck {
  const { service } = way;
  const via = `${service.namespace}/${service.name}:${service.port}`;
  if (way.kind !== 'forwarded') {
    const { kind, why, flow } = way;
    const verdict = judge.judge(flow);
    const { from, to } = flow;
    const answer = { isAllowed: false, isUnknown: false, others: [] };
    return { family, from, to, via, flow, end: { kind, why }, verdict, open: undefined, ...answer };
  }
  const { atSender, atReceiver } = way;
  const verdict = judgeTranslated(judge, way);
  return {
    family,
    from: atSender.from,
    to: atReceiver.to,
    via,
    flow: atReceiver,
    end: undefined,
    verdict,
    open: undefined,
    ...answerOf(verdict),
  };
}

/** A name that the input does not show may be there all the same. */
function noSuchPort({ to }: TestRequest, port: PortSpec, receiver: Party): string {
  const facts = portsOf(receiver.pods);
  if (facts.length === 0) return `${to} has no ${portText(port)}`;
  return `the input does not show ${factsText(facts)}: give the port as a number, or what \`${factsCommand(facts)}\` prints`;
}

/** Undefined: the receiver has no port of that name. */
function flowTo(from: Party, to: Party, port: PortSpec): PolicyFlow | undefined {
  if (port.kind === 'icmp') return { from, to, protocol: 'ICMP', port: 0 };
  if (port.kind === 'number') return { from, to, protocol: port.protocol, port: port.port };
  const found = to.pods
    .flatMap((pod) => pod.namedPorts)
    .find(({ name, protocol }) => name === port.name && protocol === port.protocol);
  return found && { from, to, protocol: port.protocol, port: found.port };
}

function portText(port: PortSpec): string {
  if (port.kind === 'icmp') return 'ICMP port';
  return `port ${port.kind === 'number' ? port.port : port.name}/${port.protocol.toLowerCase()}`;
}

/** Policies are about addresses: without one nothing can be said. */
function withoutAddress(party: PartyName): string {
  if (party.kind === 'pod') {
    return `Pod ${party.pod.id} has no podIP in the input: give what \`kubectl get pods -o yaml\` prints; --assume-pods makes up addresses of Pods without any status`;
  }
  return party.kind === 'node'
    ? `Node ${party.node.name} has no address in the input`
    : `${party.ip} is not an address`;
}
