import { setTimeout } from 'node:timers/promises';

/**
 * Two clocks: `now` only ever rises, in milliseconds, and measures durations; `date` is for people, and may be set at
 * any time.
 */
export interface Clock {
  readonly now: () => number;
  readonly date: () => Date;
  /** Ends early, and without an error, when `signal` says so. */
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }).catch(() => {}),
};
