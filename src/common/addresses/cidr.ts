import { prefixRange } from '../ranges/prefixRange.ts';
import { formatIp, type Ip, parseIp } from './ip.ts';

/** A network: its canonical text with the host bits masked, and the numbers of its first and last address. */
export type Cidr = Ipv4Cidr | Ipv6Cidr;

interface Ipv4Cidr {
  readonly family: 'ipv4';
  readonly text: string;
  readonly length: number;
  readonly first: number;
  readonly last: number;
}

interface Ipv6Cidr {
  readonly family: 'ipv6';
  readonly text: string;
  readonly length: number;
  readonly first: bigint;
  readonly last: bigint;
}

/**
 * Reads `ADDRESS/LENGTH` as Kubernetes does: host bits may be set and are masked, leading zeros are decimal, an
 * IPv4-mapped network of 96 bits or more is the IPv4 one. Blanks are refused. Undefined: not a network.
 */
export function parseCidr(text: string): Cidr | undefined {
  const split = splitCidr(text);
  if (split === undefined) return undefined;
  const { ip, length } = split;
  return ip.family === 'ipv4' ? ipv4Cidr(ip.value, length) : ipv6Cidr(ip.value, length);
}

/** What parseCidr reads, but cheaper: use it for large numbers of networks. */
export function isCidr(text: string): boolean {
  return splitCidr(text) !== undefined;
}

/**
 * The canonical address in front of the slash, with its host bits: what `IP/LEN` of an interface says. Undefined: not a
 * CIDR.
 */
export function cidrAddress(text: string): string | undefined {
  const split = splitCidr(text);
  return split === undefined ? undefined : formatIp(split.ip);
}

/** The address lies in the network. Texts are parsed; false if one of them is not a network or an address. */
export function cidrContains(cidr: Cidr | string, address: Ip | string): boolean {
  const network = typeof cidr === 'string' ? parseCidr(cidr) : cidr;
  const ip = typeof address === 'string' ? parseIp(address) : address;
  if (network === undefined || ip === undefined || network.family !== ip.family) return false;
  return network.first <= ip.value && ip.value <= network.last;
}

/** The networks have an address in common (then one lies within the other). */
export function cidrsOverlap(a: Cidr, b: Cidr): boolean {
  return a.family === b.family && a.first <= b.last && b.first <= a.last;
}

/** Every address of `inner` is one of `outer`. */
export function isWithin(inner: Cidr, outer: Cidr): boolean {
  return inner.family === outer.family && inner.length >= outer.length && cidrsOverlap(inner, outer);
}

/** Every address of `inner` is one of `outer`, and `outer` has more. */
export function isStrictSubnet(inner: Cidr, outer: Cidr): boolean {
  return isWithin(inner, outer) && inner.length > outer.length;
}

function splitCidr(text: string): { readonly ip: Ip; readonly length: number } | undefined {
  const slash = text.indexOf('/');
  if (slash < 0) return undefined;
  const address = text.slice(0, slash);
  const ip = parseIp(address);
  const digits = text.slice(slash + 1);
  if (ip === undefined || !/^[0-9]{1,9}$/.test(digits)) return undefined;
  const length = Number(digits);
  if (ip.family === 'ipv6') return length <= 128 ? { ip, length } : undefined;
  if (!address.includes(':')) return length <= 32 ? { ip, length } : undefined;
  // IPv4-mapped: shorter prefixes reach beyond the mapped range and stay IPv6.
  if (length > 128) return undefined;
  if (length >= 96) return { ip, length: length - 96 };
  return { ip: { family: 'ipv6', value: 0xffff00000000n | BigInt(ip.value) }, length };
}

function ipv4Cidr(value: number, length: number): Cidr {
  const { first, last } = prefixRange(value, length);
  return {
    family: 'ipv4',
    text: `${formatIp({ family: 'ipv4', value: first })}/${length}`,
    length,
    first,
    last,
  };
}

function ipv6Cidr(value: bigint, length: number): Cidr {
  const { first, last } = prefixRange(value, length);
  return { family: 'ipv6', text: `${formatIp({ family: 'ipv6', value: first })}/${length}`, length, first, last };
}
