import type { Value } from '../../common/ranges/valueRange.ts';
import { addressValue } from '../../netfilter/addressRanges.ts';

/** An address, perhaps with a port. */
export interface End {
  readonly address: Value;
  readonly port: number | undefined;
}

/** `10.96.0.10:53`, `[fd00::1]:53`, `10.96.0.10/32`; undefined: not an address. */
export function readEnd(name: string): End | undefined {
  const [, ip = name, port] = /^\[([^\]]+)\](?::(\d+))?$/.exec(name) ?? /^([\d.]+)(?::(\d+))?$/.exec(name) ?? [];
  const address = addressValue(ip.replace(/\/(?:32|128)$/, ''));
  return address === undefined ? undefined : { address, port: port === undefined ? undefined : Number(port) };
}
