import { escapeJson } from '../../common/text/escapeText.ts';

/** Writes one line of the log. */
export type Log = (
  level: 'info' | 'warning' | 'error',
  message: string,
  more?: Readonly<Record<string, unknown>>,
) => void;

/** Lines of JSON, one an event, with terminal controls as `\u` escapes. */
export function jsonLog(date: () => Date, write: (line: string) => void): Log {
  return (level, message, more = {}) =>
    write(`${escapeJson(JSON.stringify({ time: date().toISOString(), level, message, ...more }))}\n`);
}
