import { addressValue } from '../../netfilter/addressRanges.ts';
import { parseDuration } from '../../netfilter/nft/values/duration.ts';
import type { Seen } from '../tracer.ts';

/** Reads `ADDR=LIST@AGE`: `10.0.0.1=KUBE-SEP-X@2.1s`, `3h`; undefined: not of this form. */
export function readSeen(text: string): Seen | undefined {
  const equals = text.indexOf('=');
  const at = text.lastIndexOf('@');
  const address = equals === -1 ? undefined : addressValue(text.slice(0, equals));
  const milliseconds = at === -1 ? undefined : readAge(text.slice(at + 1));
  return address === undefined || milliseconds === undefined || at <= equals + 1
    ? undefined
    : { list: text.slice(equals + 1, at), address, milliseconds };
}

/** `2.1s`, `90m`, `1h30m`, `1500ms`; seconds without a unit. */
export function readAge(text: string): number | undefined {
  const fraction = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)?$/.exec(text);
  if (fraction?.[1] !== undefined) return Number(fraction[1]) * (units.get(fraction[2] ?? 's') ?? 1000);
  return parseDuration(text);
}

const units: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);
