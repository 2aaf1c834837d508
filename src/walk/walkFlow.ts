import type { Value } from '../common/ranges/valueRange.ts';
import { onlyValue, single, type ValueSet } from '../common/ranges/valueSet.ts';
import { originalTuple } from './ask/narrow.ts';
import type { WalkContext } from './context.ts';
import { defaultDevice } from './defaultDevice.ts';
import type { Flow, FlowConnection, Packet } from './flow.ts';
import { beginFlow } from './flowShape.ts';
import { errorOf } from './hooks/errorOf.ts';
import { onBridge } from './hooks/onBridge.ts';
import type { End, Ended } from './hooks/walkHook.ts';
import { isLocalAddress } from './isLocalAddress.ts';
import { podAt } from './podAt.ts';
import { routeTo } from './routing.ts';
import { sourceTowards } from './sourceTowards.ts';
import { addressText } from './values/text.ts';
import { portOf, receive, routedOut, send } from './ways.ts';

/** One way that chance leaves open: the first packet, the next one of the connection, and the first one back. */
export interface FlowOutcome {
  readonly first: Ended;
  readonly later: Ended | undefined;
  readonly reply: Ended | undefined;
}

/** Walks a flow to all its ends, and for each end what later packets and the reply do. */
export function walkFlow(start: Flow, given: WalkContext): readonly FlowOutcome[] {
  const context: WalkContext = { ...given, work: { steps: 0 } };
  return walkStart(start, context).map((first): FlowOutcome => {
    const reply = replyTo(first, context);
    return { first, later: laterPacket(start, first, reply, context), reply };
  });
}

/** The first packet alone. */
export function walkStart(start: Flow, context: WalkContext): readonly Ended[] {
  if (start.origin === 'forwarded') return receive(start, context);
  const routed = routedOut(start, context);
  return 'end' in routed ? [routed] : send(routed, context);
}

/** The next packet of the same sender after the reply; it meets what the reply left behind. */
function laterPacket(
  start: Flow,
  { flow, end }: Ended,
  reply: Ended | undefined,
  context: WalkContext,
): Ended | undefined {
  const { state } = flow.connection;
  if ((end.kind !== 'leaves' && end.kind !== 'delivered') || state === 'invalid') return undefined;
  const isTcp = onlyValue(start.packet.protocol) === 6;
  const connection = state === 'untracked' ? start.connection : laterConnection(flow, reply);
  const packet: Packet = { ...flow.entry, ...(isTcp && { tcpFlags: ack }) };
  const again: Flow = {
    ...start,
    packet,
    entry: packet,
    connection,
    memory: (reply ?? { flow }).flow.memory,
    supposed: flow.supposed,
    choices: undefined,
  };
  return usual(walkStart(again, context), ({ sourcePort }) => sourcePort);
}

/** If conntrack sees no reply, following packets are invalid, except UDP, which stays new. */
function laterConnection(flow: Flow, reply: Ended | undefined): FlowConnection {
  // If it returned to no connection, or by another zone, conntrack does not see a reply.
  const isSeen =
    reply !== undefined && reply.flow.connection.state !== 'untracked' && reply.flow.connection.direction === 'reply';
  const isOrdered = [6, 132].includes(Number(onlyValue(flow.packet.protocol)));
  const found = isSeen ? 'established' : isOrdered ? 'invalid' : 'new';
  const { mark, counts } = (isSeen ? reply : { flow }).flow.connection;
  return { ...standing(flow, 'original'), mark, ...(counts && { counts }), found, hasSeenReply: isSeen };
}

const ack = 16;

/** The established connection, seen in one direction; each packet looks it up again. */
function standing(flow: Flow, direction: 'original' | 'reply'): FlowConnection {
  const { connection } = flow;
  return {
    ...connection,
    state: 'invalid',
    direction,
    original: originalTuple(flow),
    sourceBinding: connection.sourceBinding ?? {},
    destinationBinding: connection.destinationBinding ?? {},
    hasSeenReply: true,
    isKnown: true,
  };
}

function replyTo({ flow, end }: Ended, context: WalkContext): Ended | undefined {
  switch (end.kind) {
    case 'delivered':
      return usual(walkStart(answer(flow, 'local'), context), ({ destinationPort }) => destinationPort);
    case 'leaves': {
      if (!comesBack(flow, context)) return undefined;
      const back: Flow = {
        ...answer(flow, 'forwarded'),
        inInterface: flow.outInterface,
        inPort: flow.outPort ?? portOf(onlyValue(flow.packet.destination), context),
      };
      return usual(walkStart(onBridge(back, context), context), ({ destinationPort }) => destinationPort);
    }
    case 'rejected':
      return rejected(flow, end, context);
    default:
      return undefined;
  }
}

/** Of the ways that the client's port decides, the one with most ports: the actual port is unknown. */
function usual(ends: readonly Ended[], portsOf: (packet: Packet) => ValueSet | undefined): Ended | undefined {
  const width = ({ flow: { packet } }: Ended) =>
    (portsOf(packet) ?? []).reduce((sum, { first, last }) => sum + Number(last) - Number(first) + 1, 0);
  let best = ends[0];
  for (const one of ends.slice(1)) if (best !== undefined && width(one) > width(best)) best = one;
  return best;
}

/** What the receiver sends back, with addresses and ports reversed. */
function answer(flow: Flow, origin: 'local' | 'forwarded'): Flow {
  const { packet } = flow;
  const protocol = onlyValue(packet.protocol);
  const isTracked = flow.connection.state !== 'untracked' && flow.connection.state !== 'invalid';
  const connection: FlowConnection = isTracked
    ? { ...standing(flow, 'reply'), found: 'established' }
    : { ...flow.connection, state: 'invalid', found: protocol === 17 ? 'new' : 'invalid' };
  return backwards(flow, origin, connection, {
    source: packet.destination,
    destination: packet.source,
    protocol: packet.protocol,
    sourcePort: packet.destinationPort,
    destinationPort: packet.sourcePort,
    tcpFlags: protocol === 6 ? synAck : undefined,
    icmp: packet.icmp === undefined ? undefined : { type: protocol === 58 ? 129 : 0, code: 0 },
  });
}

const synAck = 18;

const resetAck = 20;

function backwards(flow: Flow, origin: 'local' | 'forwarded', connection: FlowConnection, packet: Packet): Flow {
  const { share, memory, supposed } = flow;
  const start = { packet, origin, connection, share, memory, supposed };
  return beginFlow({ ...start, inInterface: undefined, inPort: undefined, mark: 0 });
}

/** The reply passes this node: the receiver is a Pod here, or replies to an address that leads here. */
function comesBack(flow: Flow, context: WalkContext): boolean {
  const towards = onlyValue(flow.packet.source);
  if (towards === undefined || isHere(flow.packet.destination, flow.outInterface, context)) return true;
  return (
    isLocalAddress(towards, context) ||
    isHere(flow.packet.source, undefined, context) ||
    isTakenForPod(towards, context)
  );
}

/** A Pod sends to Services through its own node: if nothing shows routes, that is this one. */
function isTakenForPod(sender: Value, context: WalkContext): boolean {
  const { podRanges = [] } = context.input.topology;
  if (!podRanges.some(({ first, last }) => first <= sender && sender <= last)) return false;
  const pod = podAt(sender, context);
  if (pod?.interface !== undefined || pod?.node !== undefined) return false;
  const route = routeTo({ destinations: single(sender), source: single(sender), mark: 0 }, context);
  if (route?.length !== 0) return false;
  context.notes.assumed.add(`${addressText(sender)}: a Pod of this node, as nothing shows where it is`);
  return true;
}

/** Addresses behind an interface of this node other than the default one. */
function isHere(addresses: Packet['source'], device: string | undefined, context: WalkContext): boolean {
  const { topology } = context.input;
  const address = onlyValue(addresses);
  const pod = address === undefined ? undefined : podAt(address, context);
  if (pod !== undefined && (pod.interface !== undefined || pod.node !== undefined)) {
    return pod.interface !== undefined || pod.node === topology.node;
  }
  const route = routeTo({ destinations: addresses, source: addresses, mark: 0 }, context);
  const wayOut = defaultDevice(addresses, context);
  return (
    route?.type === 'unicast' &&
    route.via === undefined &&
    route.device !== wayOut &&
    (device === undefined || route.device === device)
  );
}

/** The ICMP error or reset in reply to a packet: a new packet of the node itself. */
function rejected(flow: Flow, end: Extract<End, { kind: 'rejected' }>, context: WalkContext): Ended | undefined {
  const { packet } = flow;
  const { connection } = flow;
  const isTracked = connection.state !== 'untracked' && connection.state !== 'invalid';
  // It starts with the connection: chains before the look-up see that too.
  const related: FlowConnection = isTracked
    ? {
        ...connection,
        state: 'related',
        found: 'related',
        direction: 'reply',
        original: originalTuple(flow),
        protocol: packet.protocol,
        isKnown: connection.isKnown || flow.leg === 2,
      }
    : {
        ...connection,
        state: 'invalid',
        found: 'invalid',
        ...(connection.state === 'untracked' && { isSettled: true }),
      };
  if (end.rejection.kind === 'reset') {
    const reset = backwards(flow, 'local', related, {
      source: packet.destination,
      destination: packet.source,
      protocol: packet.protocol,
      sourcePort: packet.destinationPort,
      destinationPort: packet.sourcePort,
      tcpFlags: resetAck,
      icmp: undefined,
    });
    return walkStart(reset, context)[0];
  }
  const source = errorSource(flow, context);
  if (source === undefined) return undefined;
  const isV6 = typeof source === 'bigint';
  const [type, code] = errorOf(end.rejection, isV6);
  const error = backwards(flow, 'local', related, {
    source: single(source),
    destination: packet.source,
    protocol: single(isV6 ? 58 : 1),
    sourcePort: undefined,
    destinationPort: undefined,
    tcpFlags: undefined,
    icmp: { type, code },
  });
  return walkStart(error, context)[0];
}

/** The original destination if it is the node's own; otherwise the address on the route back. */
function errorSource(flow: Flow, context: WalkContext): Value | undefined {
  const asked = onlyValue(flow.packet.destination);
  const isOwn = asked !== undefined && isLocalAddress(asked, context) && flow.hook === 'input';
  return isOwn ? asked : sourceTowards(flow.packet.source, context);
}
