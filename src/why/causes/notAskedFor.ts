import type { Evidence } from '../../diagnostics/problem.ts';
import type { AddressSide, Condition } from '../../netfilter/meaning.ts';
import { commands } from '../../problems/catalogue/commands.ts';
import { serviceOfPort } from '../../seen/names/serviceOfPort.ts';
import type { CatalogEntrance } from '../../trace/known/ruleEntrances.ts';
import { hasPorts } from '../../trace/question/hasPorts.ts';
import { protocolName } from '../../trace/question/protocolName.ts';
import type { TracePacket } from '../../trace/question/tracePacket.ts';
import { conditionsOf } from '../../trace/service/conditionsOf.ts';
import type { WalkRule } from '../../walk/input/walkInput.ts';
import { endText } from '../../walk/values/text.ts';
import type { CauseDraft } from '../cause.ts';
import { shownClusterIps } from '../clusterIps.ts';
import { commonLength } from '../commonLength.ts';
import { ruleEvidence } from '../evidence.ts';
import { mayBeOwn } from '../mayBeOwn.ts';
import type { WhyQuestion } from '../whyQuestion.ts';
import { notInPart } from './notInPart.ts';

/** No rule has this address, or this port of it. Undefined: it need not belong to a Service. */
export function notAskedFor(evidence: readonly Evidence[], question: WhyQuestion): CauseDraft | undefined {
  const {
    result: { packet },
    allEntrances,
    entrances,
    known,
  } = question;
  const address = endText(packet.destination, undefined);
  // Rules have it, but for other senders.
  if (entrances.length > 0) return forOthers(evidence, question);
  const here = allEntrances
    .filter((one) => one.address === packet.destination)
    .sort((one, other) => Number(isAtPort(other, packet)) - Number(isAtPort(one, packet)));
  if (here.length > 0 && isPing(packet)) return unpinged(address, evidence, question);
  const part = evidence.length === 0 ? notInPart(question) : undefined;
  if (part !== undefined) return part;
  // By the objects the Service has this port: which others rules have does not matter.
  if (here.length > 0 && known.destination === undefined) return otherPortsOnly(here, evidence, question);
  if (evidence.length === 0 && !isAmongClusterIps(question)) return somebodysElse(address, question);
  const service = known.destination?.service;
  if (service !== undefined && known.destination?.isLeftToBalancer) return leftToBalancer(address, service);
  const meant =
    service === undefined
      ? `it is no Service's, or kube-proxy does not know the Service`
      : `by the objects it is ${service}'s, which kube-proxy does not know, or whose rules were lost`;
  const hidden = hidesRefusals(question) ? `, or the Service has no endpoints: ${refusalsHidden}` : '';
  return {
    code: 'not-asked-for',
    what: `No rule of this node has ${here.length > 0 ? question.name : `the address ${address}`}: ${meant}${hidden}.`,
    evidence,
    fix:
      service === undefined
        ? '`kubectl get services -A -o wide` lists the addresses of Services; `k8snet diff` compares the rules with them.'
        : `${commands.readLog} ${commands.restart}`,
  };
}

/** Rules have the address, and the objects, if there are some, have no such port of the Service. */
function otherPortsOnly(
  here: readonly CatalogEntrance[],
  evidence: readonly Evidence[],
  question: WhyQuestion,
): CauseDraft {
  const { result, known } = question;
  const { packet } = result;
  const address = endText(packet.destination, undefined);
  const named = here.find(({ service }) => service !== undefined)?.service;
  const who = named === undefined ? 'The Service' : serviceOfPort(named);
  const asked = hasPorts(packet.protocol)
    ? `port ${packet.destinationPort}/${protocolName(packet.protocol)}`
    : protocolName(packet.protocol);
  const offered = here.map(({ port, protocol }) => `${port}/${protocol === undefined ? '?' : protocolName(protocol)}`);
  const rules = here.slice(0, mostShown).flatMap(({ rule }) => (rule === undefined ? [] : [ruleEvidence(rule)]));
  const [nearest] = here;
  const doubt = known.hasObjects ? undefined : doubtOf(address, question);
  return {
    code: 'not-asked-for',
    what: `${who} at ${address} has no ${asked}; it has ${[...new Set(offered)].join(', ')}.${doubt === undefined ? '' : ` ${doubt}`}`,
    evidence: [...evidence, ...rules],
    fix: portFix(question, nearest),
    ...(doubt !== undefined && { isUnknown: true }),
  };
}

/** Why the Service may have the port, or somebody else may answer at it. */
function doubtOf(address: string, question: WhyQuestion): string | undefined {
  if (hidesRefusals(question)) return `Or the port has no endpoints: ${refusalsHidden}.`;
  // A program may listen on the address of a load balancer, if it is one of the node's own.
  if (!mayBeOwn(question)) return undefined;
  return `Whether ${address} is an address of the node itself, on which a program of the node may answer, was not given.`;
}

const refusalsHidden = 'the table filter, in which it would be refused, is not in the dump';

/** `iptables-save -t nat`: rules for a Service without endpoints are in the table filter alone. */
function hidesRefusals({ input: { tables } }: WhyQuestion): boolean {
  const own = tables.filter(({ tool }) => tool === 'iptables');
  return own.some(({ name }) => name === 'nat') && !own.some(({ name }) => name === 'filter');
}

function isAtPort({ port }: CatalogEntrance, { destinationPort }: TracePacket): boolean {
  return port !== undefined && port === destinationPort;
}

/** The port may be there, but over another protocol: who names none asks an address over TCP. */
function portFix({ result: { packet }, known }: WhyQuestion, nearest: CatalogEntrance | undefined): string {
  if (nearest?.protocol === undefined || !isAtPort(nearest, packet)) {
    const own = 'Use a port of the Service, or add this one to spec.ports: `kubectl -n NAMESPACE edit service NAME`.';
    return known.hasObjects ? own : `${own} If it is there, kube-proxy lost an update. ${commands.restart}`;
  }
  const protocol = protocolName(nearest.protocol);
  return `To ask for ${packet.destinationPort}/${protocol}, add --proto ${protocol}. Where clients use the other protocol, add a port for it to spec.ports: \`kubectl -n NAMESPACE edit service NAME\`.`;
}

/** Through 1.20, what the node itself sends to an external IP goes on untranslated, unless the address is its own. */
function forOthers(evidence: readonly Evidence[], { result, entrances, name }: WhyQuestion): CauseDraft {
  const rules = entrances.flatMap(({ rule }) => rule ?? []);
  const places = [...evidence, ...rules.map(ruleEvidence)];
  if (result.packet.origin === 'local' && rules.length > 0 && rules.every(leavesOutNode)) {
    return {
      code: 'source-not-allowed',
      what: `The rules for ${name} take only what others send: through 1.20, kube-proxy translates nothing that the node itself sends to an external IP of another machine.`,
      evidence: places,
      fix: 'From the node, use the cluster IP: `kubectl -n NAMESPACE get service NAME`.',
    };
  }
  return {
    code: 'hooks-missing',
    what: `Rules for ${name} are there, and none of them takes this packet.`,
    evidence: places,
    fix: '`k8snet diff` with the manifests shows what is wrong with these rules.',
  };
}

function leavesOutNode({ steps }: WalkRule): boolean {
  return conditionsOf(steps).some((condition) =>
    condition.kind === 'not' ? isLocal(condition.condition, 'source') : isLocal(condition, 'destination'),
  );
}

function isLocal(condition: Condition, side: AddressSide): boolean {
  return condition.kind === 'addressType' && condition.side === side && condition.types.includes('local');
}

/** By design since 1.30. */
function leftToBalancer(address: string, service: string): CauseDraft {
  return {
    code: 'not-asked-for',
    what: `The load balancer of ${service} has ipMode Proxy: nodes have no rules for ${address}, and send packets on to it. What it does with them is not shown.`,
    evidence: [],
    fix: 'Ask from outside, or look at the load balancer itself: `kubectl -n NAMESPACE describe service NAME`. From a Pod, use the cluster IP.',
    isUnknown: true,
  };
}

const mostShown = 3;

function isPing({ protocol }: TracePacket): boolean {
  return protocol === 1 || protocol === 58;
}

/** Only if the address belongs to the node, on kube-ipvs0, something answers. */
function unpinged(address: string, evidence: readonly Evidence[], { allEntrances }: WhyQuestion): CauseDraft {
  const ports = allEntrances.filter((one) => one.port !== undefined && endText(one.address, undefined) === address);
  const bracketed = address.includes(':') ? `[${address}]` : address;
  const overTcp = ports.find(({ protocol }) => protocol === 6)?.port;
  const [first] = ports;
  const port = overTcp ?? (first === undefined ? 'PORT' : `${first.port}/${protocolName(first.protocol ?? 6)}`);
  return {
    code: 'not-asked-for',
    what: `${address} is the address of a Service and does not answer ping: rules translate the ports of the Service alone. That says nothing about the Service.`,
    evidence,
    fix: `Ask a port of the Service instead: \`k8snet why\` with --to ${bracketed}:${port}${overTcp === undefined ? '' : `, or \`nc -vz ${address} ${overTcp}\` in a Pod`}.`,
  };
}

/** Objects without a Service there decide it; with rules alone the address may be one that kube-proxy lost. */
function somebodysElse(address: string, { known, allEntrances }: WhyQuestion): CauseDraft | undefined {
  if (known.hasObjects || allEntrances.length === 0) return undefined;
  return {
    code: 'not-asked-for',
    what: `No rule of this node has the address ${address}, so the packet goes on untranslated. If that is an address outside the cluster, all is well; if it is a Service's, kube-proxy does not know the Service. Which of them is unknown.`,
    evidence: [],
    fix: 'Give the objects of the cluster too: `-f`, with what `kubectl get services,endpointslices,nodes -A -o json` prints.',
    isUnknown: true,
  };
}

/** Such an address can only be meant for a Service: nothing else may have it. */
function isAmongClusterIps(question: WhyQuestion): boolean {
  const { destination } = question.result.packet;
  if (question.known.destination !== undefined) return true;
  const own = shownClusterIps(question).filter((one) => typeof one === typeof destination);
  const [first] = own;
  if (first === undefined) return false;
  const [width, least] = typeof destination === 'bigint' ? [128, 108] : [32, 16];
  let length = width;
  for (const one of own) length = Math.min(length, commonLength(first, one, width));
  // One Service shows no range: a cluster usually has one of at least this size.
  return commonLength(first, destination, width) >= Math.min(length, least);
}
