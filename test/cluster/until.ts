import { setTimeout as wait } from 'node:timers/promises';

/** Waits for a state; the time only bounds how long a failure takes. `pause`: milliseconds between two looks. */
export async function until(
  what: string | (() => string),
  milliseconds: number,
  holds: () => Promise<boolean>,
  pause = 100,
): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await holds())) {
    if (Date.now() > end)
      throw new Error(`not within ${milliseconds / 1000} s: ${typeof what === 'string' ? what : what()}`);
    await wait(pause);
  }
}
