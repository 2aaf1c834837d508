import { setTimeout as wait } from 'node:timers/promises';

/** Waits for a state; the time only bounds how long a failure takes. */
export async function until(
  what: string | (() => string),
  milliseconds: number,
  holds: () => Promise<boolean>,
): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await holds())) {
    if (Date.now() > end)
      throw new Error(`not within ${milliseconds / 1000} s: ${typeof what === 'string' ? what : what()}`);
    await wait(100);
  }
}
