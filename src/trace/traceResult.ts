import { isTranslated } from '../walk/ask/isTranslated.ts';
import type { WalkNotes } from '../walk/context.ts';
import type { Ended } from '../walk/hooks/walkHook.ts';
import type { Fraction } from '../walk/values/fraction.ts';
import type { FlowOutcome } from '../walk/walkFlow.ts';
import type { TracePacket } from './question/tracePacket.ts';

/** What a trace found: the ways that chance leaves open, none twice, the likeliest first. */
export interface TraceResult {
  readonly packet: TracePacket;
  readonly outcomes: readonly TracedOutcome[];
  readonly notes: WalkNotes;
}

export interface TracedOutcome extends FlowOutcome {
  /** Undefined: a condition that nobody can answer is on the way. */
  readonly share: Fraction | undefined;
}

/** It goes on towards somebody, or is handed to a process of the node. */
export function arrives(end: Ended['end']): boolean {
  return end.kind === 'leaves' || end.kind === 'delivered';
}

/**
 * The answer gets back to where the packet came from, by this node. Over a bridge that asks no rules it comes from the very
 * Pod that gave it: who asked another address knows nothing of it.
 */
export function isAnswered({ reply, first }: FlowOutcome): boolean {
  if (reply?.end.kind === 'bridged') return !isTranslated(first.flow.connection, 'destination');
  return reply !== undefined && arrives(reply.end);
}
