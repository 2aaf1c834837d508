import type { Family } from '../../common/addresses/family.ts';
import { type Bits, parseBits, prefixBits, prefixLength, printBits } from '../iptables/values/addressBits.ts';
import { portNumber } from '../iptables/values/ports.ts';

export interface HostPort {
  readonly ip: string;
  /** Undefined: none was written. */
  readonly port: number | undefined;
}

/** Reads `10.0.0.1:80`, `[fd00::1]:80` or an address alone; undefined: neither, for instance a host name. */
export function readHostPort(text: string): HostPort | undefined {
  const bracket = text.startsWith('[') ? text.indexOf(']') : -1;
  let host = text;
  let rest = '';
  if (bracket > 0) {
    host = text.slice(1, bracket);
    rest = text.slice(bracket + 1);
  } else if (text.indexOf(':') === text.lastIndexOf(':') && text.includes(':')) {
    host = text.slice(0, text.indexOf(':'));
    rest = text.slice(text.indexOf(':'));
  }
  const bits = parseBits(host, familyOf(host));
  if (bits === undefined) return undefined;
  if (rest === '') return { ip: printBits(bits), port: undefined };
  const number = portNumber(rest.slice(1));
  if (!rest.startsWith(':') || !/^\d{1,5}$/.test(number) || Number(number) > 65535) return undefined;
  return { ip: printBits(bits), port: Number(number) };
}

export function printHostPort(ip: string, port: number): string {
  return ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`;
}

export function familyOf(ip: string): Family {
  return ip.includes(':') ? 'ipv6' : 'ipv4';
}

/**
 * The mask of persistence as it is printed: dotted in IPv4, a length in IPv6; undefined: each client for itself, which
 * is not printed. `false`: no mask.
 */
export function canonicalMask(text: string, family: Family): string | undefined | false {
  if (family === 'ipv6') {
    if (!/^\d{1,3}$/.test(text) || Number(text) < 1 || Number(text) > 128) return false;
    return Number(text) === 128 ? undefined : String(Number(text));
  }
  const bits: Bits | undefined = /^\d{1,2}$/.test(text) ? prefixBits(Number(text), 'ipv4') : parseBits(text, 'ipv4');
  if (bits === undefined || prefixLength(bits) === undefined) return false;
  const mask = printBits(bits);
  return mask === '255.255.255.255' ? undefined : mask;
}
