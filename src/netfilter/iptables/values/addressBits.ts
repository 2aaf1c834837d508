import type { Family } from '../../../common/addresses/family.ts';
import { pushAll } from '../../../common/pushAll.ts';

/** An address as groups of 16 bits: two of an IPv4 address, eight of an IPv6 one. */
export type Bits = readonly number[];

/** Reads an address as the C library does: a leading zero makes an octet of an IPv4 address octal. */
export function parseBits(text: string, family: Family): Bits | undefined {
  return family === 'ipv4' ? parseIpv4(text) : parseIpv6(text);
}

/** As the C library prints it: IPv6 in lower case, the longest run of zeros compressed, an IPv4 address within in dots. */
export function printBits(bits: Bits): string {
  if (bits.length === 2) {
    return printIpv4(bits[0] ?? 0, bits[1] ?? 0);
  }
  const { start, length } = longestZeros(bits);
  const isMapped = length === 5 && bits[5] === 0xffff;
  if (start === 0 && (isMapped || length === 6)) {
    return `${isMapped ? '::ffff:' : '::'}${printIpv4(bits[6] ?? 0, bits[7] ?? 0)}`;
  }
  const hex = bits.map((group) => group.toString(16));
  return length < 2 ? hex.join(':') : `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

export function prefixBits(length: number, family: Family): Bits | undefined {
  const groups = family === 'ipv4' ? 2 : 8;
  if (length > groups * 16) {
    return undefined;
  }
  return Array.from({ length: groups }, (_, at) => {
    const ones = Math.min(16, Math.max(0, length - at * 16));
    return (0xffff << (16 - ones)) & 0xffff;
  });
}

/** The length of a mask that is a prefix; undefined: its ones are not together at the front. */
export function prefixLength(mask: Bits): number | undefined {
  const binary = mask.map((group) => group.toString(2).padStart(16, '0')).join('');
  const firstZero = binary.indexOf('0');
  if (firstZero === -1) {
    return binary.length;
  }
  return binary.includes('1', firstZero) ? undefined : firstZero;
}

function parseIpv4(text: string): Bits | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) {
    return undefined;
  }
  const octets = parts.map((part) => {
    if (/^0[0-7]{1,3}$/.test(part)) {
      return Number.parseInt(part, 8);
    }
    return /^(?:0|[1-9]\d{0,2})$/.test(part) ? Number(part) : 256;
  });
  if (octets.some((octet) => octet > 255)) {
    return undefined;
  }
  const [a = 0, b = 0, c = 0, d = 0] = octets;
  return [(a << 8) | b, (c << 8) | d];
}

function parseIpv6(text: string): Bits | undefined {
  if (text.length > 45 || text.includes(':::')) {
    return undefined;
  }
  const halves = text.split('::');
  if (halves.length > 2) {
    return undefined;
  }
  const head = parseGroups(halves[0] ?? '', halves.length === 1);
  const tail = halves.length === 2 ? parseGroups(halves[1] ?? '', true) : [];
  if (!head || !tail) {
    return undefined;
  }
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) {
    return undefined;
  }
  return [...head, ...Array.from({ length: missing }, () => 0), ...tail];
}

/** Groups between colons; the last four bytes may be an IPv4 address. */
function parseGroups(text: string, mayEndInIpv4: boolean): number[] | undefined {
  if (text === '') {
    return [];
  }
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [at, part] of parts.entries()) {
    if (mayEndInIpv4 && at === parts.length - 1 && part.includes('.')) {
      const octets = parseIpv4(part);
      if (!octets) {
        return undefined;
      }
      pushAll(groups, octets);
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) {
      groups.push(Number.parseInt(part, 16));
    } else {
      return undefined;
    }
  }
  return groups;
}

function printIpv4(high: number, low: number): string {
  return `${high >> 8}.${high & 0xff}.${low >> 8}.${low & 0xff}`;
}

function longestZeros(bits: Bits): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  let start = 0;
  for (let at = 0; at <= bits.length; at += 1) {
    if (bits[at] === 0) {
      continue;
    }
    if (at - start > best.length) {
      best = { start, length: at - start };
    }
    start = at + 1;
  }
  return best;
}
