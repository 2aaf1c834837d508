import type { Family } from '../../common/addresses/family.ts';
import { plainIpv4Number } from '../../common/addresses/ip.ts';
import { type Bits, parseBits, prefixBits, printBits } from '../iptables/values/addressBits.ts';
import { portNumber } from '../iptables/values/ports.ts';

/** A range of more members than a set holds by default is not spelt out. */
const expansionLimit = 65536;

/**
 * The members that one `add` makes, as ipset prints them: hosts without their length, networks masked, ports as numbers
 * with their protocol, ranges one by one. None where the kernel refuses it: kube-proxy asks for networks of everything all
 * the same. What cannot be read stays as it is.
 */
export function canonicalMembers(type: string, member: string): readonly string[] {
  // Most members of all: sets of policies have the addresses of Pods.
  if (ofAddresses.has(type) && plainIpv4Number(member) >= 0) return [member];
  const kinds = type.slice(type.indexOf(':') + 1).split(',');
  const parts = member.split(',');
  if (parts.length !== kinds.length) return [member];
  const choices = parts.map((part, at) => canonicalPart(kinds[at] as string, part, type));
  const count = choices.reduce((product, { length }) => product * length, 1);
  if (count > expansionLimit) return [member];
  return choices.reduce<readonly string[]>(
    (heads, tails, at) => (at === 0 ? tails : heads.flatMap((head) => tails.map((tail) => `${head},${tail}`))),
    [],
  );
}

const ofAddresses: ReadonlySet<string> = new Set(['hash:ip', 'hash:net']);

function canonicalPart(kind: string, part: string, type: string): readonly string[] {
  switch (kind) {
    case 'ip':
      return addresses(part);
    case 'net':
      return refusesEverything.has(type) && /\/0+$/.test(part) ? [] : [network(part)];
    case 'port':
      return ports(part, type === 'bitmap:port');
    case 'mac':
      return [part.toUpperCase()];
    case 'mark':
      return [/^(?:0x[0-9a-f]+|\d+)$/i.test(part) ? `0x${Number(part).toString(16).padStart(8, '0')}` : part];
    default:
      return [part];
  }
}

/** Other types of sets with networks take one of length 0. */
const refusesEverything: ReadonlySet<string> = new Set(['hash:net', 'hash:ip,port,net']);

/** Sets of addresses hold hosts: a network or a range stands for each of its addresses (IPv4 only). */
function addresses(part: string): readonly string[] {
  const range = splitRange(part);
  if (range !== undefined) {
    const first = ipv4Number(range[0]);
    const last = ipv4Number(range[1]);
    if (first === undefined || last === undefined || last < first || last - first >= expansionLimit) return [part];
    return ipv4Range(first, last - first + 1);
  }
  const slash = part.indexOf('/');
  if (slash < 0) return [canonicalAddress(part)];
  const length = prefixLength(part);
  if (length === undefined) return [part];
  const address = part.slice(0, slash);
  if (length === (familyOf(address) === 'ipv4' ? 32 : 128)) return [canonicalAddress(address)];
  const first = ipv4Number(address);
  if (first === undefined || length < 16) return [part];
  const size = 2 ** (32 - length);
  return ipv4Range(first - (first % size), size);
}

function network(part: string): string {
  const slash = part.indexOf('/');
  if (slash < 0) return canonicalAddress(part);
  const address = part.slice(0, slash);
  const family = familyOf(address);
  const bits = parseBits(address, family);
  const length = prefixLength(part);
  const mask = length === undefined ? undefined : prefixBits(length, family);
  if (bits === undefined || mask === undefined) return part;
  const masked = printBits(bits.map((group, at) => group & (mask[at] as number)));
  return length === (family === 'ipv4' ? 32 : 128) ? masked : `${masked}/${length}`;
}

/** `tcp:80`, `udp:domain`, `80-90`; without a protocol it is TCP, in a bitmap there is none. */
function ports(part: string, isBitmap: boolean): readonly string[] {
  const [, named, text = ''] = /^(?:([a-z][a-z0-9-]*|\d+):)?([^:]*)$/i.exec(part) ?? [];
  const protocol = (named ?? 'tcp').toLowerCase();
  const head = isBitmap ? '' : `${protocol}:`;
  if (text === '' || protocol.startsWith('icmp')) return [text === '' ? part : head + text];
  const one = portNumber(text);
  if (/^\d+$/.test(one)) return [`${head}${Number(one)}`];
  const range = splitRange(text);
  const first = range && Number(portNumber(range[0]));
  const last = range && Number(portNumber(range[1]));
  if (first === undefined || last === undefined || !(first <= last && last <= 65535)) return [head + text];
  return Array.from({ length: last - first + 1 }, (_, at) => `${head}${first + at}`);
}

function canonicalAddress(text: string): string {
  if (plainIpv4Number(text) >= 0) return text;
  const bits = parseBits(text, familyOf(text));
  return bits === undefined ? text : printBits(bits);
}

function splitRange(text: string): readonly [string, string] | undefined {
  const dash = text.indexOf('-');
  return dash <= 0 ? undefined : [text.slice(0, dash), text.slice(dash + 1)];
}

function prefixLength(part: string): number | undefined {
  const digits = part.slice(part.indexOf('/') + 1);
  if (!/^\d{1,3}$/.test(digits)) return undefined;
  const length = Number(digits);
  return length <= (part.includes(':') ? 128 : 32) ? length : undefined;
}

function familyOf(address: string): Family {
  return address.includes(':') ? 'ipv6' : 'ipv4';
}

function ipv4Number(text: string): number | undefined {
  if (text.includes(':')) return undefined;
  const bits: Bits | undefined = parseBits(text, 'ipv4');
  return bits === undefined ? undefined : (bits[0] as number) * 65536 + (bits[1] as number);
}

function ipv4Range(first: number, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => printBits([Math.floor((first + at) / 65536), (first + at) % 65536]));
}
