import { count } from '../../common/text/count.ts';

/** A line on a terminal about the progress of something that takes longer than a second. */
export interface ProgressLine {
  readonly report: (done: number, all: number) => void;
  /** Removes the line. */
  readonly end: () => void;
}

/** Writes to standard error if it is a terminal and `-q` was not given. */
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

/** Milliseconds until the first message, and between messages. */
const patience = 1000;
const pause = 200;
