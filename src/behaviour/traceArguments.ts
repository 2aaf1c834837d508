import type { TracePacket } from '../trace/question/tracePacket.ts';
import type { SenderKind } from './packets/senderKinds.ts';
import { traceQuestion } from './traceQuestion.ts';

export function traceArguments(entrance: SenderKind, packet: TracePacket): string {
  const { from, to, proto } = traceQuestion(entrance, packet);
  return `--from ${from} --to ${to} --proto ${proto}`;
}
