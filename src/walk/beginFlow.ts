import type { Flow, FlowConnection } from './flow.ts';

type Start = Pick<Flow, 'packet' | 'origin' | 'inInterface' | 'inPort' | 'mark' | 'connection' | 'share' | 'memory'>;

/**
 * A packet before its first hook. A flow is copied at each rule that it meets, and the engine copies objects of one shape
 * several times as fast: all fields are there from the beginning.
 */
export function beginFlow({ packet, origin, inInterface, inPort, mark, connection, share, memory }: Start): Flow {
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
    header: undefined,
    isOfIpvs: undefined,
  };
}

/** Of a packet that was not looked up yet, and that no entry is known for. All fields are there, see `beginFlow`. */
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
