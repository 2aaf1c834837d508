import { count } from '../../common/count.ts';

/** A line on a terminal that says how far something is which lasts longer than a second. */
export interface ProgressLine {
  readonly report: (done: number, all: number) => void;
  /** Takes the line away. */
  readonly end: () => void;
}

/** Writes to standard error, where that is a terminal and nobody asked for quiet. */
export function progressLine(thing: string, isQuiet: boolean, terminal: Terminal = process.stderr): ProgressLine {
  if (isQuiet || terminal.isTTY !== true) return { report: () => {}, end: () => {} };
  let next = performance.now() + patience;
  let isShown = false;
  return {
    report: (done, all) => {
      const now = performance.now();
      if (now < next) return;
      next = now + pause;
      isShown = true;
      terminal.write(`\r\u001b[K${done} of ${count(all, thing)}`);
    },
    end: () => {
      if (isShown) terminal.write('\r\u001b[K');
    },
  };
}

type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'write'>;

/** Milliseconds until something is said, and until it is said again. */
const patience = 1000;
const pause = 200;
