import { protocolName, type TracePacket } from '../trace/tracePacket.ts';
import { addressText, endText } from '../walk/text.ts';
import type { SenderKind } from './senders.ts';

/** A packet as `k8snet trace` takes it: `from` an address or `node`. */
export function traceQuestion(
  entrance: SenderKind,
  packet: TracePacket,
): { readonly from: string; readonly to: string; readonly proto: string } {
  return {
    from: entrance === 'node' ? 'node' : addressText(packet.source),
    to: endText(packet.destination, packet.destinationPort),
    proto: protocolName(packet.protocol),
  };
}

export function traceArguments(entrance: SenderKind, packet: TracePacket): string {
  const { from, to, proto } = traceQuestion(entrance, packet);
  return `--from ${from} --to ${to} --proto ${proto}`;
}
