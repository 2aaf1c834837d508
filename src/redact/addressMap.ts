import { parseCidr } from '../common/addresses/cidr.ts';
import { canonicalIp, formatIp, parseIp } from '../common/addresses/ip.ts';
import { sha256 } from '../common/sha256.ts';

/** Gives each address another one. */
export interface AddressMap {
  /** An address or a network (`IP/LENGTH`), as it is spelled; undefined: the text is neither. */
  readonly of: (text: string) => string | undefined;
  /** Every address and network that has got another one. */
  readonly known: () => Iterable<string>;
}

/**
 * Two addresses share as many leading bits afterwards as before: networks stay networks, with the same members.
 * `secret` decides, and is never written down. Addresses with a special meaning stay: loopback, link-local, multicast,
 * all zeros and all ones, masks; every address keeps the leading bits that show its kind.
 */
export function createAddressMap(secret: string): AddressMap {
  const bits = new Map<string, number>();
  const flipped = (family: number, prefix: string): number => {
    if (family === 32 && prefix.length < usualServices.length && usualServices.startsWith(prefix)) return 0;
    const key = `${family} ${prefix}`;
    let bit = bits.get(key);
    if (bit === undefined) {
      bit = Number.parseInt(sha256(`${secret} ${key}`).slice(0, 1), 16) & 1;
      bits.set(key, bit);
    }
    return bit;
  };
  const map = (binary: string, family: number, kept: number, length: number): string => {
    let mapped = '';
    for (let at = 0; at < binary.length; at += 1) {
      const bit = binary[at] as string;
      const isKept = at < kept || at >= length;
      mapped += isKept ? bit : String(Number(bit) ^ flipped(family, binary.slice(0, at)));
    }
    return mapped;
  };
  const known = new Map<string, string>();
  return {
    of: (text) => {
      const before = known.get(text);
      if (before !== undefined) return before;
      const [address = '', suffix] = text.split('/', 2);
      const ip = parseIp(address);
      if (ip === undefined || (suffix !== undefined && parseCidr(text) === undefined)) return undefined;
      const binary = binaryOf(address);
      const kept = keptBits(address, binary);
      // The bits after the length of a network do not belong to it.
      const length =
        suffix === undefined || binary.slice(Number(suffix)).includes('1') ? binary.length : Number(suffix);
      const mapped = kept === undefined ? address : spelled(map(binary, binary.length, kept, length));
      const result = suffix === undefined ? mapped : `${mapped}/${suffix}`;
      if (kept !== undefined) known.set(text, result);
      return result;
    },
    known: () => known.keys(),
  };
}

/** 10.96.0.0/12, the range of cluster IPs that many programs take for granted: it stays where it is. */
const usualServices = '000010100110';

/** Undefined: the whole address stays. */
function keptBits(address: string, binary: string): number | undefined {
  if (binary.length === 32) {
    const [first = 0, second = 0] = address.split('.').map(Number);
    if (first === 0 || first === 127 || first >= 224 || (first === 169 && second === 254)) return undefined;
    return keptOfFirst.get(first) ?? 8;
  }
  const groups = groupsOf(address);
  if (groups.slice(0, 7).every((group) => group === 0) || ((groups[0] ?? 0) & 0xff00) === 0xff00) return undefined;
  // Addresses that hold an IPv4 address, and link-local ones, whose last half is made of that of a card.
  if (((groups[0] ?? 0) & 0xffc0) === 0xfe80) return 64;
  return 8;
}

/** Where an octet holds private addresses beside public ones, bits that tell them apart stay as well. */
const keptOfFirst: ReadonlyMap<number, number> = new Map([
  [100, 10],
  [169, 16],
  [172, 12],
  [192, 16],
  [198, 16],
  [203, 24],
]);

function binaryOf(address: string): string {
  if (!address.includes(':'))
    return address
      .split('.')
      .map((octet) => Number(octet).toString(2).padStart(8, '0'))
      .join('');
  return groupsOf(address)
    .map((group) => group.toString(2).padStart(16, '0'))
    .join('');
}

function groupsOf(address: string): readonly number[] {
  const [head = '', tail] = (canonicalIp(address) ?? address).split('::');
  const groups = (text: string) =>
    text === ''
      ? []
      : text.split(':').flatMap((group) => {
          if (!group.includes('.')) return [Number.parseInt(group, 16)];
          const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
          return [(a << 8) | b, (c << 8) | d];
        });
  const [before, after] = [groups(head), groups(tail ?? '')];
  return tail === undefined
    ? before
    : [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function spelled(binary: string): string {
  if (binary.length === 32) return (binary.match(/.{8}/g) ?? []).map((bits) => Number.parseInt(bits, 2)).join('.');
  const groups = (binary.match(/.{16}/g) ?? []).map((bits) => Number.parseInt(bits, 2).toString(16));
  const ip = parseIp(groups.join(':'));
  return ip === undefined ? groups.join(':') : formatIp(ip);
}
