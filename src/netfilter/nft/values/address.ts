import { plainIpv4 } from '../../../common/addresses/plainPatterns.ts';

/**
 * Addresses as nft reads and prints them. They are words of bytes (one character a byte), so that they compare as
 * numbers do and ranges of both families merge by one code.
 */
export type AddressBytes = string;

/** What nft makes of the text: an IPv4 octet with a leading zero is octal to it, `010.1.2.3` is 8.1.2.3. */
export function parseAddress(text: string): AddressBytes | undefined {
  return text.includes(':') ? parseIPv6(text) : parseIPv4(text);
}

/** As nft prints it: dotted decimal; IPv6 lower case, its longest run of zero groups left out. */
export function formatAddress(bytes: AddressBytes): string {
  return bytes.length === 4 ? dotted(bytes, 0) : formatIPv6(bytes);
}

/** The printed form of the text; other text stays as it is. */
export function canonicalAddress(text: string): string {
  if (plainAddress.test(text)) {
    return text;
  }
  const bytes = parseAddress(text);
  return bytes === undefined ? text : formatAddress(bytes);
}

const plainAddress = new RegExp(`^${plainIpv4}$`);

function parseIPv4(text: string): AddressBytes | undefined {
  const octets = text.split('.');
  if (octets.length !== 4) {
    return undefined;
  }
  let bytes = '';
  for (const octet of octets) {
    const value = octalOrDecimal(octet);
    if (value === undefined || value > 255) {
      return undefined;
    }
    bytes += String.fromCharCode(value);
  }
  return bytes;
}

function octalOrDecimal(text: string): number | undefined {
  if (/^0[0-7]*$/.test(text)) {
    return Number.parseInt(text, 8);
  }
  return /^[1-9]\d{0,2}$/.test(text) ? Number(text) : undefined;
}

function parseIPv6(text: string): AddressBytes | undefined {
  const halves = text.split('::');
  if (halves.length > 2) {
    return undefined;
  }
  const head = groups(halves[0] ?? '');
  const tail = halves.length === 2 ? groups(halves[1] ?? '') : '';
  if (head === undefined || tail === undefined) {
    return undefined;
  }
  const missing = 16 - head.length - tail.length;
  // `::` stands for one group at least.
  return (halves.length === 2 ? missing >= 2 : missing === 0) ? head + '\0'.repeat(missing) + tail : undefined;
}

function groups(text: string): AddressBytes | undefined {
  if (text === '') {
    return '';
  }
  const parts = text.split(':');
  let bytes = '';
  for (const [index, part] of parts.entries()) {
    if (index === parts.length - 1 && part.includes('.')) {
      const embedded = parseIPv4(part);
      return embedded === undefined ? undefined : bytes + embedded;
    }
    if (!/^[0-9a-fA-F]{1,4}$/.test(part)) {
      return undefined;
    }
    const value = Number.parseInt(part, 16);
    bytes += String.fromCharCode(value >> 8, value & 0xff);
  }
  return bytes;
}

function formatIPv6(bytes: AddressBytes): string {
  const values = Array.from({ length: 8 }, (_, i) => (bytes.charCodeAt(i * 2) << 8) | bytes.charCodeAt(i * 2 + 1));
  const [start, length] = longestZeroRun(values);
  // The C library writes an embedded IPv4 address dotted: ::1.2.3.4 and ::ffff:1.2.3.4.
  if (start === 0 && (length === 6 || (length === 5 && values[5] === 0xffff))) {
    return `${length === 6 ? '::' : '::ffff:'}${dotted(bytes, 12)}`;
  }
  const words = values.map((value) => value.toString(16));
  if (length < 2) {
    return words.join(':');
  }
  return `${words.slice(0, start).join(':')}::${words.slice(start + length).join(':')}`;
}

function longestZeroRun(values: readonly number[]): readonly [number, number] {
  let best: readonly [number, number] = [0, 0];
  let run = 0;
  for (const [index, value] of values.entries()) {
    run = value === 0 ? run + 1 : 0;
    if (run > best[1]) {
      best = [index - run + 1, run];
    }
  }
  return best;
}

function dotted(bytes: AddressBytes, at: number): string {
  return `${bytes.charCodeAt(at)}.${bytes.charCodeAt(at + 1)}.${bytes.charCodeAt(at + 2)}.${bytes.charCodeAt(at + 3)}`;
}
