import { withoutUnset } from '../../yaml/withoutUnset.ts';
import { shownNumber } from '../shown/shownNumber.ts';
import { shownText } from '../shown/shownText.ts';

/** A row below `Name  Port  Protocol`: `http  8080  TCP`. */
export function describedPort(line: string): Readonly<Record<string, unknown>> | undefined {
  const [, name, port = '', protocol] = /^ +(\S+)\s+(\d+|<unset>)\s+(TCP|UDP|SCTP)$/.exec(line) ?? [];
  if (name === undefined) return undefined;
  return withoutUnset({ name: shownText(name), port: shownText(port) && shownNumber(port), protocol });
}
