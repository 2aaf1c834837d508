import { protocolName } from '../trace/question/protocolName.ts';
import type { TracePacket } from '../trace/question/tracePacket.ts';
import { endText } from '../walk/values/text.ts';
import type { SenderKind } from './packets/senderKinds.ts';

/** A packet as arguments of `k8snet trace`: `from` is an address or `node`. */
export function traceQuestion(
  entrance: SenderKind,
  packet: TracePacket,
): { readonly from: string; readonly to: string; readonly proto: string } {
  return {
    from: senderText(entrance, packet),
    to: endText(packet.destination, packet.destinationPort),
    proto: protocolName(packet.protocol),
  };
}

/** With its port if rules match that. */
function senderText(entrance: SenderKind, { source, sourcePort }: TracePacket): string {
  if (entrance !== 'node') return endText(source, sourcePort);
  return sourcePort === undefined ? 'node' : `node:${sourcePort}`;
}
