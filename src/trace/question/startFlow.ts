import { single, type ValueSet } from '../../common/ranges/valueSet.ts';
import type { WalkContext } from '../../walk/context.ts';
import type { Binding, Flow, FlowConnection, Packet } from '../../walk/flow.ts';
import { beginFlow, unseenConnection } from '../../walk/flowShape.ts';
import { freshState } from '../../walk/hooks/freshState.ts';
import { onBridge } from '../../walk/hooks/onBridge.ts';
import type { KnownTuple } from '../../walk/input/walkInput.ts';
import { one } from '../../walk/values/fraction.ts';
import type { TracePacket } from './tracePacket.ts';

/** The packet at the beginning of its way. */
export function startFlow(asked: TracePacket, context: WalkContext): Flow {
  const isPorted = asked.protocol === 6 || asked.protocol === 17 || asked.protocol === 132;
  const flags = asked.protocol === 6 ? flagBits(asked.flags ?? 'S') : undefined;
  const packet: Packet = {
    source: single(asked.source),
    destination: single(asked.destination),
    protocol: single(asked.protocol),
    sourcePort: isPorted ? ports(asked.sourcePort) : undefined,
    destinationPort: isPorted ? ports(asked.destinationPort) : undefined,
    tcpFlags: flags,
    icmp: asked.protocol === 1 ? { type: 8, code: 0 } : asked.protocol === 58 ? { type: 128, code: 0 } : undefined,
  };
  const { origin, inInterface, inPort, mark } = asked;
  const connection = connectionOf(asked, packet, context);
  const flow = beginFlow({ packet, origin, inInterface, inPort, mark, connection, share: one });
  return asked.origin === 'forwarded' ? onBridge(flow, context) : flow;
}

/** Ephemeral ports, if none was given: those that clients use. */
function ports(port: number | undefined): ValueSet {
  return port === undefined ? anyClientPort : single(port);
}

const anyClientPort: ValueSet = [{ first: 1024, last: 65535 }];

const letters: Readonly<Record<string, number>> = { F: 1, S: 2, R: 4, P: 8, A: 16, U: 32 };

function flagBits(text: string): number {
  return [...text.toUpperCase()].reduce((bits, letter) => bits | (letters[letter] ?? 0), 0);
}

function connectionOf(asked: TracePacket, packet: Packet, context: WalkContext): FlowConnection {
  const known = asked.state === undefined ? knownConnection(asked, context) : undefined;
  if (known !== undefined) return known;
  return {
    ...unseenConnection,
    found: asked.state ?? freshState(packet, context),
    destinationBinding: asked.state === 'established' ? {} : undefined,
    sourceBinding: asked.state === 'established' ? {} : undefined,
    hasSeenReply: asked.state === 'established',
  };
}

/** A connection in conntrack's listing that the packet belongs to: its translation counts, whatever rules say now. */
function knownConnection(asked: TracePacket, context: WalkContext): FlowConnection | undefined {
  const isOf = (tuple: KnownTuple) =>
    tuple.source === asked.source &&
    tuple.destination === asked.destination &&
    (asked.sourcePort === undefined || tuple.sourcePort === asked.sourcePort) &&
    (asked.destinationPort === undefined || tuple.destinationPort === asked.destinationPort);
  for (const { protocol, original, reply, isUnreplied, mark } of context.input.connections) {
    if (protocol !== asked.protocol || asked.sourcePort === undefined) continue;
    const direction = isOf(original) ? 'original' : isOf(reply) ? 'reply' : undefined;
    if (direction === undefined) continue;
    return {
      ...unseenConnection,
      found: isUnreplied && direction === 'original' ? 'new' : 'established',
      direction,
      original: {
        source: single(original.source),
        destination: single(original.destination),
        sourcePort: single(original.sourcePort),
        destinationPort: single(original.destinationPort),
      },
      destinationBinding: difference(original.destination, original.destinationPort, reply.source, reply.sourcePort),
      sourceBinding: difference(original.source, original.sourcePort, reply.destination, reply.destinationPort),
      mark,
      hasSeenReply: !isUnreplied,
      isKnown: true,
    };
  }
  return undefined;
}

function difference(address: KnownTuple['source'], port: number, to: KnownTuple['source'], toPort: number): Binding {
  return { ...(to !== address && { address: to }), ...(toPort !== port && { port: toPort }) };
}
