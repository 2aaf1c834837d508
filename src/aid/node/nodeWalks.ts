import { cidrAddress } from '../../common/addresses/cidr.ts';
import type { Family } from '../../common/addresses/family.ts';
import { familyOf } from '../../common/addresses/ip.ts';
import type { Value } from '../../common/ranges/valueRange.ts';
import { podSender } from '../../doctor/podSender.ts';
import { isPolicyChain } from '../../netfilter/policyParts.ts';
import { nftChainKind } from '../../netfilter/proxyChains.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { foreignOwner } from '../../node/programs/foreignPrograms.ts';
import { enforcesPolicies } from '../../node/programs/policyPrograms.ts';
import { podRangesOf } from '../../seen/settings/podRangesOf.ts';
import { type CatalogEntrance, ruleEntrances } from '../../trace/known/ruleEntrances.ts';
import type { TraceObjects } from '../../trace/known/traceObjects.ts';
import type { NodeTracer } from '../../trace/nodeTracer.ts';
import type { PacketQuestion } from '../../trace/question/askPacket.ts';
import { familyOfValue } from '../../trace/question/familyOfValue.ts';
import { protocolName } from '../../trace/question/protocolName.ts';
import { readParty } from '../../trace/question/readParty.ts';
import { arrives, type TraceResult } from '../../trace/traceResult.ts';
import { isOfProxy } from '../../walk/input/isOfProxy.ts';
import { addressText, endText } from '../../walk/values/text.ts';
import { trailItems } from '../../walk/values/trail.ts';
import type { Cause } from '../../why/cause.ts';
import { type Why, whyCauses } from '../../why/whyCauses.ts';
import { hasUsable, knowsEndpoints } from '../endpointCauses.ts';
import { isDenied } from '../policyAnswers.ts';
import { isAsked, type NodeQuestion } from './nodeQuestion.ts';

/** A packet to the Service, and what became of it; a problem: it could not be asked. */
export type NodeWalk =
  | {
      readonly kind: 'walked';
      readonly label: string;
      /** The same for such packets on other nodes. */
      readonly like: string;
      /** The parts of the label: `10.96.0.10:80/tcp`, the sender in it and in `like`. */
      readonly door: string;
      readonly sender: { readonly who: string; readonly kind: string };
      /** The Service port behind the address: `shop/web:http`. */
      readonly servicePort: string;
      readonly question: PacketQuestion;
      readonly result: TraceResult;
      readonly why: Why;
      /** Its sender was made up, and where that one would be decides. */
      readonly isPlaceUnknown: boolean;
    }
  | { readonly kind: 'problem'; readonly label: string; readonly like: string; readonly message: string };

export type Walked = Extract<NodeWalk, { kind: 'walked' }>;

export function isWalked(walk: NodeWalk): walk is Walked {
  return walk.kind === 'walked';
}

export interface NodeWalks {
  readonly walks: readonly NodeWalk[];
  /** So many packets were left out. */
  readonly leftOut: number;
}

/**
 * Sends a packet to every address and port of the Service: from a Pod, from the node, and from outside where the world
 * may come in. Nobody outside is meant to reach a cluster IP.
 */
export function nodeWalks(
  dump: NodeRules,
  objects: TraceObjects | undefined,
  tracer: NodeTracer,
  asked: NodeQuestion,
): NodeWalks {
  const doors = objects === undefined ? doorsOfRules(tracer, asked) : doorsOf(objects, tracer, asked);
  const all = doorsAsked(dump, objects, asked, doors).flatMap((door) =>
    sendersOf(dump, objects, tracer, asked, door.family)
      .filter(({ from }) => from !== outside || door.kind === 'open' || asked.from !== undefined)
      .map((sender) => ({ ...door, ...sender })),
  );
  const walks = all
    .slice(0, mostWalks)
    .map(({ from, who, isMadeUp, isUnnamed, family, to, proto, text, servicePort }): NodeWalk => {
      const label = `from ${who} to ${text}`;
      const kind = kindOf(from, asked);
      const like = `from ${kind} to ${text}`;
      const question = { from, to, proto };
      const result = tracer.trace(question, {}, family);
      if ('kind' in result) return { kind: 'problem', label, like, message: result.message };
      const { input } = tracer.tracerOf(result.packet.family);
      const why = whyCauses(result, input, tracer.known(question, result));
      const isPlaceUnknown = (isMadeUp && dependsOnPlace(why)) || (isUnnamed === true && isStoppedByPolicies(result));
      const verdict = isPlaceUnknown ? 'unknown' : why.verdict;
      const packet = { label, like, door: text, sender: { who, kind }, servicePort, question };
      return { kind: 'walked', ...packet, result, why: { ...why, verdict }, isPlaceUnknown };
    });
  return { walks, leftOut: Math.max(0, all.length - mostWalks) };
}

/** A page must be ready within seconds, even for a Service with hundreds of ports. */
const mostWalks = 60;

const outside = 'outside';

interface Sender {
  readonly from: string;
  readonly who: string;
  /** Nobody knows where it is. */
  readonly isMadeUp: boolean;
  /** A Pod whose labels nobody knows: which policies admit it is not known, either. */
  readonly isUnnamed?: boolean;
}

/** Every node has its own Pods. */
function kindOf(from: string, { from: asked }: NodeQuestion): string {
  return asked !== undefined || from === 'node' || from === outside ? from : 'a Pod';
}

/** The senders in the question; otherwise a Pod of the node, the node, and a client outside. */
function sendersOf(
  dump: NodeRules,
  objects: TraceObjects | undefined,
  tracer: NodeTracer,
  question: NodeQuestion,
  family: Family,
): readonly Sender[] {
  const { from } = question;
  if (from !== undefined) return isElsewhere(from, objects) ? [] : [{ from, who: from, isMadeUp: false }];
  const node = { from: 'node', who: 'the node', isMadeUp: false };
  const pod = podOfObjects(objects, question, family) ?? podOfRules(dump, tracer, family);
  return [...(pod === undefined ? [] : [pod]), node, { from: outside, who: outside, isMadeUp: false }];
}

/** Those that the sender in the question may use: of its family, and from outside no cluster IP where others are open. */
function doorsAsked(
  dump: NodeRules,
  objects: TraceObjects | undefined,
  { from }: NodeQuestion,
  doors: readonly Door[],
): readonly Door[] {
  const party = from === undefined ? undefined : readParty(from);
  const isOutsider =
    party?.kind === 'outside' || (party?.kind === 'address' && isOutside(party.address, dump, objects));
  const rest = (list: readonly Door[], fits: (door: Door) => boolean) => (list.some(fits) ? list.filter(fits) : list);
  const own = party?.kind === 'address' ? familyOfValue(party.address) : undefined;
  const spoken = rest(doors, ({ family }) => own === undefined || family === own);
  return rest(spoken, ({ kind }) => !isOutsider || kind === 'open');
}

/** Surely: it is nobody that objects or the node show, and in no range of Pods. */
function isOutside(address: Value, dump: NodeRules, objects: TraceObjects | undefined): boolean {
  const ranges = podRangesOf(dump, familyOfValue(address));
  const { pods = [], hosts = [], interfaces = [] } = objects?.network ?? {};
  const text = addressText(address);
  const isKnown =
    [...pods, ...hosts.filter(({ name }) => name !== 'outside' && name !== 'ext')].some(({ ips }) =>
      ips.includes(text),
    ) ||
    [...interfaces, ...dump.network.interfaces].some(({ addresses }) =>
      addresses.some(({ cidr }) => cidrAddress(cidr) === text),
    );
  return ranges.length > 0 && !isKnown && !ranges.some(({ first, last }) => first <= address && address <= last);
}

/** Only its own node meets what a Pod or a node sends first. */
function isElsewhere(from: string, objects: TraceObjects | undefined): boolean {
  const { pods = [], node } = objects?.network ?? {};
  const party = readParty(from);
  if (party?.kind === 'node') return party.name !== undefined && node !== undefined && party.name !== node;
  const name = from.replace(/^pods?\//, '');
  const pod = pods.find((one) => one.name === name || one.ips.includes(from));
  return pod?.node !== undefined && node !== undefined && pod.node !== node;
}

/**
 * One that is not an endpoint, if there is one, since an endpoint may meet itself, and that policies admit: it is
 * intended that the node stops others.
 */
function podOfObjects(objects: TraceObjects | undefined, question: NodeQuestion, family: Family): Sender | undefined {
  const { pods = [], node } = objects?.network ?? {};
  const own = pods.flatMap((pod) => {
    const ip = pod.node === node ? pod.ips.find((one) => familyOf(one) === family) : undefined;
    return ip === undefined
      ? []
      : [
          {
            from: ip,
            who: `${isNamed(pod) ? 'Pod ' : ''}${pod.name} (${ip})`,
            isMadeUp: false,
            isUnnamed: !isNamed(pod),
          },
        ];
  });
  const ends = endpointAddresses(objects);
  const isEnd = (ip: string) => ends.has(ip);
  const policies = question.objects?.policies;
  const mayConnect = ({ from }: Sender) => policies === undefined || !isDenied(policies.outcomeOf(from));
  const others = own.filter(({ from }) => !isEnd(from));
  // What policies let an endpoint send to itself is another matter where the node translates it.
  return others.find(mayConnect) ?? others[0] ?? (policies === undefined ? own[0] : undefined);
}

/** `10.244.1.7`, of `10.244.1.7:8080`. */
function endpointAddresses(objects: TraceObjects | undefined): ReadonlySet<string> {
  const addresses = new Set<string>();
  for (const { endpoints } of objects?.destinations ?? [])
    for (const end of endpoints?.() ?? []) addresses.add(end.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1'));
  return addresses;
}

function podOfRules(dump: NodeRules, tracer: NodeTracer, family: Family): Sender | undefined {
  const pod = podSender(dump, tracer, family);
  return pod && { from: pod.address, who: `a Pod (${pod.address})`, isMadeUp: !pod.hasInterface, isUnnamed: true };
}

function isNamed({ name }: { readonly name: string }): boolean {
  return name.includes('/');
}

/** Packets that end in chains of NetworkPolicies, or of a network plug-in that enforces them. */
function isStoppedByPolicies({ outcomes }: TraceResult): boolean {
  const stopped = outcomes.filter(({ first }) => !arrives(first.end));
  return (
    stopped.length > 0 &&
    stopped.every(({ first }) => {
      const chain = trailItems(first.flow.path).at(-1)?.chain.name ?? '';
      return isPolicyChain(chain) || enforcesPolicies(foreignOwner(chain) ?? '');
    })
  );
}

/** Where a made-up Pod is nobody knows, and so not how it is answered. */
function dependsOnPlace({ verdict, causes }: Why): boolean {
  const isOpen = ({ code }: Cause) => code === 'way-back' || code === 'routing' || code === 'some-ways-only';
  return verdict === 'fails' && causes.every((cause) => isOpen(cause) || cause.isUnknown);
}

interface Door {
  readonly kind: 'clusterIP' | 'open';
  readonly family: 'ipv4' | 'ipv6';
  readonly to: string;
  readonly proto: string;
  readonly text: string;
  readonly servicePort: string;
}

function doorsOf({ destinations = [] }: TraceObjects, tracer: NodeTracer, asked: NodeQuestion): readonly Door[] {
  return destinations.flatMap(({ service, kind, family, address, protocol, port }): readonly Door[] => {
    if (!isAsked(asked, service) || !hasEndpoints(asked, service) || tracer.tracerOf(family).input.tables.length === 0)
      return [];
    const use = kind === 'clusterIP' ? 'clusterIP' : 'open';
    return [doorAt(service, use, family, address, protocolName(protocol), port)];
  });
}

/** Packets to a port without endpoints are refused on a node that is in order. */
function hasEndpoints({ objects }: NodeQuestion, name: string): boolean {
  const port = objects?.asked.ports.find((each) => each.name === (name.split(':')[1] ?? ''));
  return (
    objects === undefined || port === undefined || !knowsEndpoints(objects.asked) || hasUsable(objects.asked, port)
  );
}

/** Without objects: what the rules call so. Those of IPVS mode have no names. */
function doorsOfRules(tracer: NodeTracer, asked: NodeQuestion): readonly Door[] {
  const doors = (['ipv4', 'ipv6'] as const).flatMap((family) =>
    ruleEntrances(tracer.tracerOf(family).input).flatMap((entrance) => {
      const { service, address, protocol, port, rule } = entrance;
      const isOfPort = isAsked(asked, service) || isAskedByNumber(asked, service, port);
      if (port === undefined || !isOfPort || (rule !== undefined && !isOfProxy(rule.chain))) return [];
      const kind = address !== undefined && !isExternal(entrance) ? 'clusterIP' : 'open';
      return [doorAt(service ?? asked.service, kind, family, address, protocolName(protocol ?? 6), port)];
    }),
  );
  return [...new Map(doors.map((door) => [`${door.family} ${door.to} ${door.proto}`, door])).values()];
}

function isAskedByNumber({ service, port }: NodeQuestion, name = '', number = 0): boolean {
  return name.split(':')[0] === service && port === String(number);
}

function isExternal({ comment = '', chain, rule }: CatalogEntrance): boolean {
  if (/ (?:external|loadbalancer|load balancer) IP/i.test(comment)) return true;
  return rule?.chain.name === 'KUBE-EXTERNAL-SERVICES' || nftChainKind(chain) === 'external';
}

function doorAt(
  servicePort: string,
  kind: Door['kind'],
  family: Door['family'],
  address: Parameters<typeof endText>[0],
  proto: string,
  port: number,
): Door {
  const to = address === undefined ? `node:${port}` : endText(address, port);
  return {
    servicePort,
    kind,
    family,
    to,
    proto,
    text: address === undefined ? `node port ${port}/${proto}` : `${to}/${proto}`,
  };
}
