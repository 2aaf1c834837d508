import { Worker } from 'node:worker_threads';

/** Watches code that never gives back control. */
export interface HangGuard {
  /** Says what is done now, and that the step before has ended. */
  readonly beat: () => void;
  readonly stop: () => Promise<number>;
}

/**
 * Ends the process where no beat comes for some minutes: an endless loop lets no timer of its own thread fire. The limit
 * is for loops without end, not for slow machines.
 */
export function hangGuard(what: string, minutes = 5): HangGuard {
  const beats = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(watch, { eval: true, workerData: { beats, what, minutes } });
  worker.unref();
  return { beat: () => Atomics.add(beats, 0, 1), stop: () => worker.terminate() };
}

const watch = `
const { workerData: { beats, what, minutes } } = require('node:worker_threads');
let before = -1;
setInterval(() => {
  const now = Atomics.load(beats, 0);
  if (now === before) {
    require('node:fs').writeSync(2, what + ': step ' + now + ' has run for more than ' + minutes + ' minutes\\n');
    process.kill(process.pid, 'SIGKILL');
  }
  before = now;
}, minutes * 60_000);
`;
