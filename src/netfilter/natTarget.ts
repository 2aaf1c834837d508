import { addressPattern } from './addressRanges.ts';
import { portNumber } from './iptables/values/ports.ts';
import type { NatTarget } from './meaning.ts';

/** `10.0.0.1:80`, `10.0.0.1-10.0.0.9`, `:80-90`, `[fd00::1]:80`. Ranges of ports that shift (`80-90/100`) are not read. */
export function natTarget(text: string): NatTarget | undefined {
  const bracketed = text.startsWith('[') ? /^\[([^\]]*)\](?::(.+))?$/.exec(text) : null;
  const colon = text.indexOf(':');
  const hasOneColon = colon !== -1 && colon === text.lastIndexOf(':');
  const address = bracketed ? bracketed[1] : hasOneColon ? text.slice(0, colon) : text;
  const port = bracketed ? bracketed[2] : hasOneColon ? text.slice(colon + 1) : undefined;
  const addresses = address === '' || address === undefined ? undefined : addressPattern(address)?.range;
  const ports = port === undefined ? undefined : natPorts(port);
  if ((address && addresses === undefined) || (port !== undefined && ports === undefined)) return undefined;
  return { ...(addresses && { addresses }), ...(ports && { ports }) };
}

/** `80`, `80-90`, `http`. */
export function natPorts(text: string | undefined): { readonly first: number; readonly last: number } | undefined {
  if (text !== undefined && /^\d{1,5}$/.test(text)) return { first: Number(text), last: Number(text) };
  const [first = '', last = first, ...rest] = (text ?? '').split('-').map(portNumber);
  return rest.length === 0 && /^\d{1,5}$/.test(first) && /^\d{1,5}$/.test(last)
    ? { first: Number(first), last: Number(last) }
    : undefined;
}
