import type { Family } from '../../../common/addresses/family.ts';
import { type Bits, parseBits, prefixBits, prefixLength, printBits } from './addressBits.ts';
import { portNumber } from './ports.ts';

/**
 * An address or network as iptables-save prints it: with a prefix length, host bits cleared, IPv6 in its canonical
 * form; a mask that is no prefix stays a mask. Host names and what cannot be read stay as they are.
 */
export function canonicalAddress(text: string, family: Family): string {
  const slash = text.indexOf('/');
  if (family === 'ipv4' && isCanonicalIpv4(text, slash)) {
    return slash === -1 ? `${text}/32` : text;
  }
  if (slash === -1) {
    const bits = parseBits(text, family);
    return bits ? `${printBits(bits)}/${bits.length * 16}` : text;
  }
  const maskText = text.slice(slash + 1);
  const mask =
    family === 'ipv6' || !maskText.includes('.') ? prefixOrMask(maskText, family) : parseBits(maskText, family);
  if (!mask) {
    return text;
  }
  const length = prefixLength(mask);
  // With an empty mask iptables does not read the address at all: `0/0` and `any/0` are everything.
  const bits = length === 0 ? mask : parseBits(networkPart(text.slice(0, slash), family), family);
  if (!bits) {
    return text;
  }
  const network = bits.map((group, at) => group & (mask[at] ?? 0));
  return `${printBits(network)}/${length ?? printBits(mask)}`;
}

/** A single address without a length, as options other than `-s` and `-d` print it; networks keep their host bits. */
export function hostAddress(text: string, family: Family): string {
  const slash = text.indexOf('/');
  const bits = parseBits(slash === -1 ? text : text.slice(0, slash), family);
  if (!bits) {
    return text;
  }
  const length = slash === -1 ? '' : text.slice(slash + 1);
  return length === '' || length === String(bits.length * 16) ? printBits(bits) : `${printBits(bits)}/${length}`;
}

/** `10.0.0.1-10.0.0.9`; a single address is a range of itself. */
export function canonicalAddressRange(text: string, family: Family): string {
  const [first = '', last = first] = text.split('-');
  return `${hostAddress(first, family)}-${hostAddress(last, family)}`;
}

/** Four decimal numbers without leading zeros: nearly every address of a rule set, told without taking it apart. */
function isPlainIpv4(text: string): boolean {
  return plainIpv4(text, text.length) !== -1;
}

/** A plain address, or one with a prefix length and no host bits. */
function isCanonicalIpv4(text: string, slash: number): boolean {
  if (slash === -1) {
    return isPlainIpv4(text);
  }
  const length = text.endsWith('/32') ? 32 : decimalLength(text, slash + 1);
  const value = length === -1 ? -1 : plainIpv4(text, slash);
  return value !== -1 && value % 2 ** (32 - length) === 0;
}

/** The value of the address in the first `end` characters; -1: it is not plain. */
function plainIpv4(text: string, end: number): number {
  let dots = 0;
  let digits = 0;
  let octet = 0;
  let address = 0;
  for (let at = 0; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x2e && digits > 0) {
      address = address * 256 + octet;
      dots += 1;
      digits = 0;
      octet = 0;
    } else if (code >= 0x30 && code <= 0x39 && (digits === 0 || octet > 0)) {
      digits += 1;
      octet = octet * 10 + code - 0x30;
      if (octet > 255) {
        return -1;
      }
    } else {
      return -1;
    }
  }
  return dots === 3 && digits > 0 ? address * 256 + octet : -1;
}

/** One or two digits without a leading zero, up to 32; -1: something else. */
function decimalLength(text: string, from: number): number {
  const first = text.charCodeAt(from) - 0x30;
  const second = text.charCodeAt(from + 1) - 0x30;
  if (!(first >= 0 && first <= 9) || text.length > from + 2) {
    return -1;
  }
  if (text.length === from + 1) {
    return first;
  }
  return first > 0 && second >= 0 && second <= 9 && first * 10 + second <= 32 ? first * 10 + second : -1;
}

function prefixOrMask(text: string, family: Family): Bits | undefined {
  if (/^\d{1,3}$/.test(text)) {
    return prefixBits(Number(text), family);
  }
  return parseBits(text, family);
}

/** Networks may leave out trailing zeros: `10.1/16`. */
function networkPart(text: string, family: Family): string {
  if (family === 'ipv6' || text === '') {
    return text;
  }
  const parts = text.split('.');
  return parts.length < 4 ? [...parts, ...Array.from({ length: 4 - parts.length }, () => '0')].join('.') : text;
}

/**
 * Where DNAT and SNAT send packets to: `address[-address][:port[-port]]`, IPv6 addresses in brackets only if a port
 * follows, ranges of one shortened.
 */
export function canonicalNatAddress(text: string, family: Family): string {
  if (family === 'ipv6') {
    const bracketed = /^\[([^\]]*)\](?::(.*))?$/.exec(text);
    const addresses = natRange(bracketed?.[1] ?? text, family);
    return bracketed?.[2] === undefined ? addresses : `[${addresses}]:${portRangeOf(bracketed[2])}`;
  }
  const colon = text.indexOf(':');
  if (colon === -1) {
    return natRange(text, family);
  }
  // What nearly every endpoint is written as.
  if (plainIpv4(text, colon) !== -1 && isPlainNumber(text, colon + 1)) {
    return text;
  }
  return `${natRange(text.slice(0, colon), family)}:${portRangeOf(text.slice(colon + 1))}`;
}

/** Decimal digits to the end, without a leading zero. */
function isPlainNumber(text: string, from: number): boolean {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < (at === from ? 0x31 : 0x30) || code > 0x39) {
      return false;
    }
  }
  return from < text.length;
}

function natRange(text: string, family: Family): string {
  if (family === 'ipv4' && isPlainIpv4(text)) {
    return text;
  }
  const [first = '', last = first, ...rest] = text.split('-').map((address) => hostAddress(address, family));
  return rest.length > 0 ? text : first === last ? first : `${first}-${last}`;
}

/** `80-90/100` shifts ports by the difference to a base, which stays as it is. */
function portRangeOf(text: string): string {
  if (!text.includes('-')) {
    return portNumber(text);
  }
  const [first = '', last = ''] = text.split('-').map(portNumber);
  return first === last ? first : text;
}
