import type { Family } from '../../common/family.ts';
import { type Bits, parseBits, prefixBits, prefixLength, printBits } from './addressBits.ts';
import { portNumber } from './ports.ts';

/**
 * An address or network as iptables-save prints it: with a prefix length, host bits cleared, IPv6 in its canonical
 * form; a mask that is no prefix stays a mask. Host names and what cannot be read stay as they are.
 */
export function canonicalAddress(text: string, family: Family): string {
  const slash = text.indexOf('/');
  if (slash === -1) {
    if (family === 'ipv4' && isPlainIpv4(text)) {
      return `${text}/32`;
    }
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
export function isPlainIpv4(text: string): boolean {
  let dots = 0;
  let digits = 0;
  let value = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x2e) {
      if (digits === 0) {
        return false;
      }
      dots += 1;
      digits = 0;
      value = 0;
    } else if (code >= 0x30 && code <= 0x39 && (digits === 0 || value > 0)) {
      digits += 1;
      value = value * 10 + code - 0x30;
      if (value > 255) {
        return false;
      }
    } else {
      return false;
    }
  }
  return dots === 3 && digits > 0;
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
  return `${natRange(text.slice(0, colon), family)}:${portRangeOf(text.slice(colon + 1))}`;
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
