import type { Value } from '../common/ranges/valueRange.ts';
import { newNotes, type WalkContext } from '../walk/context.ts';
import type { WalkInput } from '../walk/input/walkInput.ts';
import { walkFlow } from '../walk/walkFlow.ts';
import { mergeOutcomes } from './mergeOutcomes.ts';
import { startFlow } from './question/startFlow.ts';
import type { TracePacket } from './question/tracePacket.ts';
import type { TraceResult } from './traceResult.ts';

/** An address that a list knows, and how long ago it was seen. */
export interface Seen {
  readonly list: string;
  readonly address: Value;
  readonly milliseconds: number;
}

export interface TraceConditions {
  readonly seen: readonly Seen[];
  /** Milliseconds since the dump was taken. */
  readonly elapsed: number;
  readonly at?: Date;
  readonly user?: number;
}

/** Traces one packet after another through the rules of one family; what was worked out about rules is kept. */
export interface Tracer {
  readonly input: WalkInput;
  trace(packet: TracePacket, conditions: TraceConditions): TraceResult;
  /** For questions about routes before a packet is known. */
  context(conditions: TraceConditions): WalkContext;
}

export function createTracer(input: WalkInput): Tracer {
  const caches = new Map<object, unknown>();
  const context = ({ seen, elapsed, at, user }: TraceConditions): WalkContext => ({
    input,
    seen: new Map(seen.map(({ list, address, milliseconds }) => [`${list} ${address}`, milliseconds])),
    elapsed,
    ...(at && { at }),
    ...(user !== undefined && { user }),
    notes: newNotes(),
    caches,
  });
  return {
    input,
    context,
    trace: (packet, conditions) => {
      const walked = context(conditions);
      const outcomes = mergeOutcomes(walkFlow(startFlow(packet, walked), walked));
      return { packet, outcomes, notes: walked.notes };
    },
  };
}
