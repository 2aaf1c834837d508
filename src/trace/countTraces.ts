import { approximate } from '../walk/values/fraction.ts';
import { memoryOf } from './known/memoryOf.ts';
import type { NodeTracer } from './nodeTracer.ts';
import type { PacketQuestion } from './question/askPacket.ts';
import type { AskProblem } from './question/askProblem.ts';
import { outcomeName } from './show/outcomeName.ts';
import type { TracedOutcome, TraceResult } from './traceResult.ts';
import type { Seen, TraceConditions } from './tracer.ts';

/** How many connections went where. */
export interface Histogram {
  readonly kind: 'histogram';
  readonly count: number;
  readonly rows: readonly { readonly to: string; readonly count: number }[];
}

export interface CountOptions {
  readonly count: number;
  /** Milliseconds between two connections. */
  readonly gap: number;
  readonly seed: number;
}

/** Makes this many connections one after another; what one leaves in lists counts for the next. */
export function countTraces(
  tracer: NodeTracer,
  question: PacketQuestion,
  conditions: TraceConditions,
  { count, gap, seed }: CountOptions,
): Histogram | AskProblem {
  const random = generator(seed);
  const counts = new Map<string, number>();
  let seen = conditions.seen;
  const elapsed = conditions.elapsed;
  let result: TraceResult | undefined;
  for (let at = 0; at < count; at += 1) {
    if (result === undefined) {
      const traced = tracer.trace(question, { ...conditions, seen, elapsed });
      if ('kind' in traced) return traced;
      result = traced;
    }
    const outcome = drawn(result.outcomes, random());
    const to = outcomeName(outcome);
    counts.set(to, (counts.get(to) ?? 0) + 1);
    const left = memoryOf(outcome, elapsed + gap);
    // Nothing was left behind: the next connection meets the same state.
    if (left.length > 0 || seen.length > 0) {
      seen = merged(aged(seen, gap), left);
      result = undefined;
    }
  }
  const rows = [...counts].map(([to, times]) => ({ to, count: times })).sort((a, b) => b.count - a.count);
  return { kind: 'histogram', count, rows };
}

function drawn(outcomes: readonly TracedOutcome[], point: number): TracedOutcome {
  let sum = 0;
  for (const outcome of outcomes) {
    sum += outcome.share === undefined ? 1 / outcomes.length : approximate(outcome.share);
    if (point < sum) return outcome;
  }
  return outcomes.at(-1) as TracedOutcome;
}

function aged(seen: readonly Seen[], gap: number): readonly Seen[] {
  return seen.map((one) => ({ ...one, milliseconds: one.milliseconds + gap }));
}

/** The latest for each list and address. */
function merged(seen: readonly Seen[], news: readonly Seen[]): readonly Seen[] {
  const all = new Map<string, Seen>();
  for (const one of [...seen, ...news]) all.set(`${one.list} ${one.address}`, one);
  return [...all.values()];
}

/** Mulberry32: the same numbers for the same seed everywhere. */
export function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
