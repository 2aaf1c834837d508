import type { Flow, FlowConnection, Packet } from './flow.ts';

/**
 * A flow is copied at each rule that it meets. All of its fields are there from the beginning, and a copy names each of
 * them: that takes a third of the time of `{ ...flow }`, and makes objects of one shape.
 */

type Start = Pick<Flow, 'packet' | 'origin' | 'inInterface' | 'inPort' | 'mark' | 'connection' | 'share'> &
  Partial<Pick<Flow, 'memory' | 'supposed'>>;

/** A packet before its first hook. */
export function beginFlow({
  packet,
  origin,
  inInterface,
  inPort,
  mark,
  connection,
  share,
  memory,
  supposed,
}: Start): Flow {
  return {
    packet,
    entry: packet,
    origin,
    hook: origin === 'local' ? 'output' : 'prerouting',
    leg: 1,
    inInterface,
    outInterface: undefined,
    inPort,
    outPort: undefined,
    isBridged: false,
    nextHop: undefined,
    newRoute: undefined,
    mark,
    zone: undefined,
    connection,
    share,
    choices: undefined,
    path: undefined,
    memory,
    supposed,
    header: undefined,
    isOfIpvs: undefined,
  };
}

/** To be changed before anybody else sees it. */
export function copyOfFlow(flow: Flow): Copy<Flow> {
  return {
    packet: flow.packet,
    entry: flow.entry,
    origin: flow.origin,
    hook: flow.hook,
    leg: flow.leg,
    inInterface: flow.inInterface,
    outInterface: flow.outInterface,
    inPort: flow.inPort,
    outPort: flow.outPort,
    isBridged: flow.isBridged,
    nextHop: flow.nextHop,
    newRoute: flow.newRoute,
    mark: flow.mark,
    zone: flow.zone,
    connection: flow.connection,
    share: flow.share,
    choices: flow.choices,
    path: flow.path,
    memory: flow.memory,
    supposed: flow.supposed,
    header: flow.header,
    isOfIpvs: flow.isOfIpvs,
  };
}

/** With another packet; the one that arrived stays. */
export function withPacket(flow: Flow, packet: Packet): Flow {
  const next = copyOfFlow(flow);
  next.packet = packet;
  return next;
}

/** With other answers about sets whose members are unknown. */
export function withSupposed(flow: Flow, supposed: Flow['supposed']): Flow {
  if (flow.supposed === supposed) return flow;
  const next = copyOfFlow(flow);
  next.supposed = supposed;
  return next;
}

/** The same of a connection. */
export function copyOfConnection(connection: FlowConnection): Copy<FlowConnection> {
  return {
    state: connection.state,
    found: connection.found,
    direction: connection.direction,
    original: connection.original,
    protocol: connection.protocol,
    destinationBinding: connection.destinationBinding,
    sourceBinding: connection.sourceBinding,
    mark: connection.mark,
    hasSeenReply: connection.hasSeenReply,
    ipvsServer: connection.ipvsServer,
    zone: connection.zone,
    counts: connection.counts,
    isKnown: connection.isKnown,
    isSettled: connection.isSettled,
  };
}

/** A field that a copy forgets does not compile. */
type Copy<T> = { -readonly [Key in keyof Required<T>]: T[Key] };

/** Of a packet that was not looked up yet, and that no entry is known for. */
export const unseenConnection: FlowConnection = {
  state: 'invalid',
  found: 'new',
  direction: 'original',
  original: undefined,
  protocol: undefined,
  destinationBinding: undefined,
  sourceBinding: undefined,
  mark: 0,
  hasSeenReply: false,
  ipvsServer: undefined,
  zone: undefined,
  counts: undefined,
  isKnown: false,
  isSettled: undefined,
};
