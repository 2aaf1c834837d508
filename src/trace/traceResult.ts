import { isTranslated } from '../walk/ask/isTranslated.ts';
import type { WalkNotes } from '../walk/context.ts';
import type { Ended } from '../walk/hooks/walkHook.ts';
import type { Fraction } from '../walk/values/fraction.ts';
import type { FlowOutcome } from '../walk/walkFlow.ts';
import type { TracePacket } from './question/tracePacket.ts';

/** What a trace found: the ways that chance leaves open, each once, the likeliest first. */
export interface TraceResult {
  readonly packet: TracePacket;
  readonly outcomes: readonly TracedOutcome[];
  readonly notes: WalkNotes;
}

export interface TracedOutcome extends FlowOutcome {
  /** Undefined: a condition with an unknown answer is on the way. */
  readonly share: Fraction | undefined;
}

/** It is forwarded to a receiver, or handed to a process of the node. */
export function arrives(end: Ended['end']): boolean {
  return end.kind === 'leaves' || end.kind === 'delivered';
}

/**
 * The reply gets back to the packet's source, by this node. Over a bridge without rules, it comes directly from the Pod
 * that sent it: a client that used another address does not recognize it.
 */
export function isAnswered({ reply, first }: FlowOutcome): boolean {
  if (reply?.end.kind === 'bridged') return !isTranslated(first.flow.connection, 'destination');
  return reply !== undefined && arrives(reply.end);
}
