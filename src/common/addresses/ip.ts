import type { Family } from './family.ts';

/** A parsed address: a uint32 for IPv4 (IPv4-mapped IPv6 included, as in Go), 128 bits for IPv6. */
export type Ip = Ipv4 | Ipv6;

export interface Ipv4 {
  readonly family: 'ipv4';
  readonly value: number;
}

export interface Ipv6 {
  readonly family: 'ipv6';
  readonly value: bigint;
}

/**
 * Reads an address as Kubernetes does: leading zeros in IPv4 are decimal (never octal), `::ffff:1.2.3.4` is the IPv4
 * address 1.2.3.4, zones (`%eth0`) and blanks are refused. Undefined: not an address.
 */
export function parseIp(text: string): Ip | undefined {
  const ipv4 = parseIpv4(text, 0);
  if (ipv4 >= 0) return { family: 'ipv4', value: ipv4 };
  const groups = parseIpv6(text);
  if (groups === undefined) return undefined;
  const mapped = mappedIpv4(groups);
  return mapped === undefined ? { family: 'ipv6', value: numberOf(groups) } : { family: 'ipv4', value: mapped };
}

/**
 * The canonical spelling of an address, as Go prints it: no leading zeros, IPv6 as in RFC 5952, IPv4-mapped IPv6 as
 * IPv4. It is cheap for IPv4 that is canonical already: the text itself comes back.
 */
export function canonicalIp(text: string): string | undefined {
  if (plainIpv4Number(text) >= 0) return text;
  const ipv4 = parseIpv4(text, 0);
  if (ipv4 >= 0) return formatIpv4(ipv4);
  const groups = parseIpv6(text);
  if (groups === undefined) return undefined;
  const mapped = mappedIpv4(groups);
  return mapped === undefined ? formatGroups(groups) : formatIpv4(mapped);
}

/** The family of an address in any spelling; undefined: not an address. */
export function familyOf(text: string): Family | undefined {
  if (parseIpv4(text, 0) >= 0) return 'ipv4';
  const groups = parseIpv6(text);
  if (groups === undefined) return undefined;
  return mappedIpv4(groups) === undefined ? 'ipv6' : 'ipv4';
}

/** The canonical text of a parsed address. */
export function formatIp(ip: Ip): string {
  return ip.family === 'ipv4' ? formatIpv4(ip.value) : formatGroups(groupsOf(ip.value));
}

/**
 * The number of an IPv4 address, -1 for any other text. Unlike parseIp it makes no object, so use it for large numbers
 * of addresses.
 */
export function ipv4Number(text: string): number {
  return parseIpv4(text, 0);
}

/** The same for an address in canonical spelling, without leading zeros; -1 for any other text. */
export function plainIpv4Number(text: string): number {
  let value = 0;
  let octet = -1;
  let dots = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) {
      if (octet === 0) return -1;
      octet = (octet < 0 ? 0 : octet * 10) + code - 0x30;
      if (octet > 255) return -1;
    } else {
      if (code !== dot || octet < 0 || dots === 3) return -1;
      value = value * 256 + octet;
      octet = -1;
      dots += 1;
    }
  }
  return dots === 3 && octet >= 0 ? value * 256 + octet : -1;
}

/** Whether a canonical address is in `127.0.0.0/8` or is `::1`. */
export function isLoopbackIp(address: string): boolean {
  return address === '::1' || address.startsWith('127.');
}

/** Orders addresses by family (IPv4 first), then by number. */
export function compareIps(a: Ip, b: Ip): number {
  if (a.family !== b.family) return a.family === 'ipv4' ? -1 : 1;
  return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
}

/** An IPv4 address was written with a leading zero in a number (`010.0.0.1`): other programs read that as octal. */
export function hasLeadingZero(text: string): boolean {
  for (let at = text.indexOf('0'); at >= 0; at = text.indexOf('0', at + 1)) {
    if (at !== 0 && text.charCodeAt(at - 1) !== dot) continue;
    if (isDigit(text.charCodeAt(at + 1))) return !text.includes(':');
  }
  return false;
}

const dot = 0x2e;
const colon = 0x3a;

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** The address in `text` from `start` to its end; -1: none. */
function parseIpv4(text: string, start: number): number {
  let value = 0;
  let octet = -1;
  let dots = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === dot) {
      if (octet < 0 || dots === 3) return -1;
      value = value * 256 + octet;
      octet = -1;
      dots += 1;
    } else if (isDigit(code)) {
      octet = (octet < 0 ? 0 : octet * 10) + code - 0x30;
      if (octet > 255) return -1;
    } else {
      return -1;
    }
  }
  return dots === 3 && octet >= 0 ? value * 256 + octet : -1;
}

/** Eight 16-bit groups. */
function parseIpv6(text: string): number[] | undefined {
  if (!text.includes(':')) return undefined;
  const groups: number[] = [];
  let gap = -1;
  let at = 0;
  if (text.startsWith('::')) {
    gap = 0;
    at = 2;
  }
  while (at < text.length) {
    let end = at;
    let group = 0;
    for (; end < text.length && isHex(text.charCodeAt(end)); end += 1)
      group = group * 16 + hexDigit(text.charCodeAt(end));
    if (text.charCodeAt(end) === dot) {
      const tail = parseIpv4(text, at);
      if (tail < 0) return undefined;
      groups.push(tail >>> 16, tail & 0xffff);
      break;
    }
    if (end === at || end - at > 4 || groups.length === 8) return undefined;
    groups.push(group);
    if (end === text.length) break;
    if (text.charCodeAt(end) !== colon || end + 1 === text.length) return undefined;
    at = end + 1;
    if (text.charCodeAt(at) !== colon) continue;
    if (gap >= 0) return undefined;
    gap = groups.length;
    at += 1;
  }
  if (gap < 0) return groups.length === 8 ? groups : undefined;
  if (groups.length > 7) return undefined;
  groups.splice(gap, 0, ...new Array<number>(8 - groups.length).fill(0));
  return groups;
}

function isHex(code: number): boolean {
  const lower = code | 0x20;
  return isDigit(code) || (lower >= 0x61 && lower <= 0x66);
}

function hexDigit(code: number): number {
  return code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57;
}

function mappedIpv4(groups: readonly number[]): number | undefined {
  const isMapped = groups[5] === 0xffff && groups.every((group, index) => index >= 5 || group === 0);
  return isMapped ? (groups[6] ?? 0) * 65536 + (groups[7] ?? 0) : undefined;
}

function formatIpv4(value: number): string {
  return `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;
}

function formatGroups(groups: readonly number[]): string {
  const run = longestZeroRun(groups);
  if (run.length < 2) return hexGroups(groups, 0, 8);
  return `${hexGroups(groups, 0, run.start)}::${hexGroups(groups, run.start + run.length, 8)}`;
}

function hexGroups(groups: readonly number[], from: number, to: number): string {
  let text = '';
  for (let at = from; at < to; at += 1) text += `${at === from ? '' : ':'}${(groups[at] as number).toString(16)}`;
  return text;
}

/** The first of the longest runs of zero groups. */
function longestZeroRun(groups: readonly number[]): { readonly start: number; readonly length: number } {
  let best = { start: 0, length: 0 };
  for (let start = 0; start < 8; start += 1) {
    let length = 0;
    while (start + length < 8 && groups[start + length] === 0) length += 1;
    if (length > best.length) best = { start, length };
    start += length;
  }
  return best;
}

/** Computed in three numbers, each small enough to be exact: many times as fast as by way of text. */
function numberOf(groups: readonly number[]): bigint {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const high = a * 2 ** 32 + b * 2 ** 16 + c;
  const middle = d * 2 ** 32 + e * 2 ** 16 + f;
  return (BigInt(high) << 80n) | (BigInt(middle) << 32n) | BigInt(g * 2 ** 16 + h);
}

function groupsOf(value: bigint): number[] {
  const high = Number(value >> 80n);
  const middle = Number(BigInt.asUintN(48, value >> 32n));
  const low = Number(BigInt.asUintN(32, value));
  return [...threeGroups(high), ...threeGroups(middle), low >>> 16, low & 0xffff];
}

function threeGroups(value: number): readonly [number, number, number] {
  const low = value % 2 ** 32;
  return [Math.floor(value / 2 ** 32), low >>> 16, low & 0xffff];
}
