import type { TracePacket } from '../../trace/question/tracePacket.ts';
import { type Distribution, distributionOf } from '../outcome/distribution.ts';
import { type Sending, sentPacket } from './sentPacket.ts';
import { sourcePortsApart } from './sourcePortsApart.ts';

export interface WalkedPacket {
  readonly packet: TracePacket;
  readonly a: Distribution;
  readonly b: Distribution;
}

/** From any port; if rules distinguish source ports, from one of each kind. */
export function walkedPackets(sending: Sending): readonly WalkedPacket[] {
  const whole = walkedPacket(sending);
  const ports = sourcePortsApart([whole.a, whole.b]);
  return ports.length === 0 ? [whole] : ports.map((port) => walkedPacket(sending, port));
}

/** From this port; undefined: from any. */
export function walkedPacket(sending: Sending, sourcePort?: number): WalkedPacket {
  const [one, other] = sending.task.contexts;
  const packet = { ...sentPacket(sending, one), sourcePort };
  const a = distributionOf(packet, one);
  if (one === other) return { packet, a, b: a };
  return { packet, a, b: distributionOf({ ...sentPacket(sending, other), sourcePort }, other) };
}
