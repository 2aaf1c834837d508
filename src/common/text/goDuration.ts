/**
 * Seconds of a duration in Go's syntax: `300s`, `1h30m`, `1.5h`, `100ms`, `-5s`, `0`. Undefined: not a duration, or one
 * that does not fit Go's 64-bit count of nanoseconds.
 */
export function parseGoDuration(text: string): number | undefined {
  const sign = text.startsWith('-') ? -1 : 1;
  const unsigned = /^[+-]/.test(text) ? text.slice(1) : text;
  if (unsigned === '0') return 0;
  let seconds = 0;
  let at = 0;
  while (at < unsigned.length) {
    step.lastIndex = at;
    const match = step.exec(unsigned);
    if (match === null) return undefined;
    const [whole, number = '', unit = ''] = match;
    seconds += Number(number) * (secondsOf.get(unit) ?? Number.NaN);
    at += whole.length;
  }
  return at === 0 || seconds > longest ? undefined : sign * seconds;
}

/** One number and its unit; the number may start or end with the point, but needs a digit. */
const step = /([0-9]+(?:\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)/y;

/** Both spellings of micro: the sign and the Greek letter. */
const secondsOf: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-9],
  ['us', 1e-6],
  ['µs', 1e-6],
  ['μs', 1e-6],
  ['ms', 1e-3],
  ['s', 1],
  ['m', 60],
  ['h', 3600],
]);

const longest = 2 ** 63 / 1e9;
