import { commands } from '../../problems/catalogue/commands.ts';
import { closedNodePort } from '../../trace/known/closedNodePort.ts';
import type { CatalogEntrance } from '../../trace/known/ruleEntrances.ts';
import { protocolName } from '../../trace/question/protocolName.ts';
import type { TracedOutcome } from '../../trace/traceResult.ts';
import type { WalkEvent } from '../../walk/flow.ts';
import { isSameChain } from '../../walk/input/isSameChain.ts';
import { isHostAddress } from '../../walk/isHostAddress.ts';
import { endText } from '../../walk/values/text.ts';
import type { CauseDraft } from '../cause.ts';
import { ruleEvidence } from '../evidence.ts';
import { mayBeOwn } from '../mayBeOwn.ts';
import type { WhyQuestion } from '../whyQuestion.ts';
import { diverted } from './diverted.ts';
import { asksDnsCache, withoutDnsCache } from './dnsCache.ts';
import { fallenThrough } from './fallenThrough.ts';
import { unshownHostPort } from './hostPort.ts';
import { notAskedFor } from './notAskedFor.ts';
import { unaskedMap } from './unaskedMap.ts';

/** The packet continues to its original destination address. */
export function untranslated(
  { first: { end } }: TracedOutcome,
  events: readonly WalkEvent[],
  question: WhyQuestion,
): CauseDraft | undefined {
  const { result, input, entrances } = question;
  const { destination } = result.packet;
  const isPod = input.topology.pods.some(({ addresses }) => addresses.includes(destination));
  const isHost = input.topology.hosts.some(({ addresses }) => addresses.includes(destination));
  if (isPod || (isHost && entrances.length === 0)) return undefined;
  const isDelivered = end.kind === 'delivered';
  const unserved = withoutDnsCache(events, question);
  if (unserved !== undefined) return unserved;
  if (isDelivered && asksDnsCache(question)) return undefined;
  const elsewhere = isDelivered ? undefined : nodePortElsewhere(question);
  if (elsewhere !== undefined) return elsewhere;
  // A program that takes an address of a Service out of tracking to listen on it, like a DNS cache, can be reached.
  const isServedHere =
    isDelivered && (isHost || isHostAddress(destination, input)) && events.some(({ action }) => action === 'notrack');
  const [entrance] = entrances;
  if (isServedHere && entrance?.address !== undefined) return undefined;
  const first = diverted(events, question);
  if (first !== undefined) return first;
  const missed = (isDelivered ? unopened(events, question) : undefined) ?? fallenThrough(events, question);
  if (missed !== undefined) return missed;
  const unshown = isDelivered ? unshownHostPort(question) : undefined;
  if (unshown !== undefined) return unshown;
  // A program that listens on the node itself needs no rule; addresses of Services belong to no program.
  if (isDelivered && isHostAddress(destination, input)) return undefined;
  return notAskedFor([], question);
}

/** A node port, and an address that nothing shows to be this node's: another node's rules answer there. */
function nodePortElsewhere(question: WhyQuestion): CauseDraft | undefined {
  const { result, input, entrances } = question;
  const { destination, destinationPort = 0, protocol } = result.packet;
  const isNodePort = entrances.length > 0 && entrances.every(({ address }) => address === undefined);
  if (!isNodePort || isHostAddress(destination, input)) return undefined;
  return {
    code: 'not-asked-for',
    what: `${destinationPort}/${protocolName(protocol)} is a node port, and ${endText(destination, undefined)} is no known address of this node.`,
    evidence: entrances.slice(0, 1).flatMap(({ rule }) => (rule === undefined ? [] : [ruleEvidence(rule)])),
    fix: 'Ask with the dump of the node that has the address; if it is this one, name the address with --node-ip.',
    ...(mayBeOwn(question) && { isUnknown: true }),
  };
}

/** A port of the node itself that is a node port on other addresses of the node, or looks like one. */
function unopened(events: readonly WalkEvent[], question: WhyQuestion): CauseDraft | undefined {
  const { result, input, allEntrances, entrances, known } = question;
  const { destination, destinationPort = 0, protocol } = result.packet;
  if (entrances.some(({ address }) => address !== undefined)) return undefined;
  const isAsked = known.destination?.kind === 'nodePort';
  if (isAsked && known.closesNodePorts?.(destination)) return leftOut('nodePortAddresses', entrances, question);
  const isOpenElsewhere =
    entrances.length > 0
      ? entrances.every((entrance) => isPassedBy(entrance, events, question))
      : allEntrances.some(
          ({ port, protocol: own, address }) =>
            port === destinationPort &&
            (own === undefined || own === protocol) &&
            address !== undefined &&
            isHostAddress(address, input),
        );
  if (isOpenElsewhere) return leftOut('nodePortAddresses, or the mode,', entrances, question);
  if (entrances.length > 0 || allEntrances.length === 0) return undefined;
  if (destinationPort < 30_000 || destinationPort > 32_767) return undefined;
  const unasked = unaskedMap(question);
  if (unasked !== undefined) return unasked;
  const service = known.destination?.service;
  const { sentence, moved } = closedNodePort(destinationPort, protocol, service, allEntrances);
  return {
    code: 'not-asked-for',
    what: sentence,
    evidence: moved?.rule === undefined ? [] : [ruleEvidence(moved.rule)],
    fix:
      moved === undefined
        ? service === undefined
          ? '`kubectl get services -A` lists the node ports.'
          : `${commands.readLog} ${commands.restart}`
        : `Compare spec.ports[].nodePort of the Service with ${moved.port}. If the Service has ${destinationPort}, kube-proxy lost an update. ${commands.restart}`,
  };
}

function leftOut(by: string, entrances: readonly CatalogEntrance[], { result }: WhyQuestion): CauseDraft {
  const { destination, destinationPort } = result.packet;
  return {
    code: 'source-not-allowed',
    what: `The node port ${destinationPort} is not open on ${endText(destination, undefined)}: ${by} leaves this address out.`,
    evidence: entrances.slice(0, 1).flatMap(({ rule }) => (rule === undefined ? [] : [ruleEvidence(rule)])),
    fix: 'Use an address of the node that nodePortAddresses holds: `kubectl -n kube-system get configmap kube-proxy -o yaml`.',
  };
}

/** The packet met the rules that lead there, and did not match them. */
function isPassedBy({ chain, rule }: CatalogEntrance, events: readonly WalkEvent[], { catalog }: WhyQuestion): boolean {
  if (rule === undefined) return false;
  const callers = catalog.chains.find((one) => isSameChain(one.chain, rule.chain))?.callers ?? [];
  const asked = [rule.chain, ...callers.map((caller) => caller.chain)];
  return (
    events.some((event) => asked.some((one) => isSameChain(one, event.chain))) &&
    !events.some(({ target }) => target === chain)
  );
}
