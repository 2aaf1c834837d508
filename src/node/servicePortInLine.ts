import { servicePortName } from './servicePortName.ts';

/** `namespace/name:port` in the comment of a rule of iptables, by its line; empty: it names none. */
export function servicePortInLine(line: string): string {
  const named = servicePortName(/--comment "?([^"\s]+)/.exec(line)?.[1] ?? '');
  if (named === undefined) return '';
  return named.portName === '' ? named.service : `${named.service}:${named.portName}`;
}
