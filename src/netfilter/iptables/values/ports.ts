import { etcServices } from './etcServices.ts';

/**
 * A port or range of ports as iptables-save prints it (`80:80` is `80`, `:1024` is `0:1024`, names become numbers);
 * undefined for the range of all ports, which it leaves out. A name that is not known here stays as it is.
 */
export function canonicalPortRange(text: string): string | undefined {
  const at = text.indexOf(':');
  if (at === -1) {
    return portNumber(text);
  }
  const first = at === 0 ? '0' : portNumber(text.slice(0, at));
  const last = at === text.length - 1 ? '65535' : portNumber(text.slice(at + 1));
  if (first === '0' && last === '65535') {
    return undefined;
  }
  return first === last ? first : `${first}:${last}`;
}

/** The number of a service name; a number itself and unknown names are given back. */
export function portNumber(text: string): string {
  const code = text.charCodeAt(0);
  return code >= 0x31 && code <= 0x39 ? text : (etcServices.get(text) ?? text);
}
