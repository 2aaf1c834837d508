import type { Clock } from '../../src/agent/clock.ts';

/** A clock that stands still until somebody sleeps or moves it; people's clock can be set beside it. */
export interface FakeClock extends Clock {
  readonly move: (milliseconds: number) => void;
  readonly setDate: (date: Date) => void;
}

export function fakeClock(): FakeClock {
  let now = 0;
  let shift = Date.parse('2026-01-01T00:00:00Z');
  return {
    now: () => now,
    date: () => new Date(now + shift),
    sleep: async (milliseconds) => {
      now += milliseconds;
      // What the cluster says meanwhile is heard first.
      await new Promise((resolve) => setImmediate(resolve));
    },
    move: (milliseconds) => {
      now += milliseconds;
    },
    setDate: (date) => {
      shift = date.getTime() - now;
    },
  };
}
