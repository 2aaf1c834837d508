import type { Value, ValueRange } from '../../../common/ranges/valueRange.ts';
import { addressPattern } from '../../addressRanges.ts';
import { portRanges } from '../../iptables/values/portRanges.ts';
import { protocolNumber } from '../../iptables/values/protocols.ts';
import type { Field, Key, KeyPart, KeyPattern, PartPattern } from '../../meaning.ts';
import type { NftKey, Selector } from '../ast.ts';
import { writeSelector } from '../selector.ts';
import { parseDuration } from '../values/duration.ts';
import { icmpTypes, icmpv6Types, rejectCodes } from '../values/icmpNames.ts';
import { routeTypeNumbers } from '../values/routeTypeNumbers.ts';
import { stateBits } from './connectionBits.ts';

/** What a selector selects, one a part. */
export function keyOf(selector: Selector): Key {
  return selector.kind === 'concat' ? selector.parts.map(partOf) : [partOf(selector)];
}

/** The parts of a key as numbers or names; undefined: a part that is not known. */
export function patternOf(key: NftKey, parts: Key): KeyPattern | undefined {
  const pattern: PartPattern[] = [];
  for (const [at, part] of parts.entries()) {
    const one = partPattern(key[at] ?? '', part);
    if (one === undefined) return undefined;
    pattern.push(one);
  }
  return pattern;
}

/** Reads `80`, `10.0.0.0/8`, `"veth*"`, `0x4000`, `1-5` as values of this kind. */
export function partPattern(text: string, part: KeyPart): PartPattern | undefined {
  switch (part.kind) {
    case 'field':
      return part.field === 'family' ? familyRange(text) : valueRange(text, part.field, part.isV6);
    case 'interface': {
      const isPrefix = text.endsWith('*') && !text.endsWith('\\*');
      return { text: isPrefix ? text.slice(0, -1) : text.replace(/\\\*$/, '*'), isPrefix };
    }
    case 'state': {
      const bit = stateBits.get(text);
      return bit === undefined ? numberRange(text) : { first: bit, last: bit };
    }
    case 'addressType': {
      const number = routeTypeNumbers.get(text);
      return number === undefined ? undefined : { first: number, last: number };
    }
    case 'generator':
      return numberRange(text);
    case 'nextHop':
      return addressPattern(text)?.range;
    case 'unknown':
      return undefined;
  }
}

function partOf(selector: Selector): KeyPart {
  const unknown: KeyPart = { kind: 'unknown', text: writeSelector(selector, 'listing') };
  switch (selector.kind) {
    case 'payload': {
      const field = payloadField(selector.protocol, selector.field);
      if (field === undefined) return unknown;
      return selector.protocol === 'icmpv6' ? { kind: 'field', field, isV6: true } : { kind: 'field', field };
    }
    case 'meta':
      return metaPart(selector.key) ?? unknown;
    case 'ct':
      return ctPart(selector.key, selector.direction) ?? unknown;
    case 'fib': {
      const [first, ...more] = selector.flags;
      const side = first === 'saddr' ? 'source' : first === 'daddr' ? 'destination' : undefined;
      if (selector.result !== 'type' || side === undefined) return unknown;
      const via = more.includes('iif') ? 'in' : more.includes('oif') ? 'out' : undefined;
      return { kind: 'addressType', side, ...(via && { via }) };
    }
    case 'numgen':
      return {
        kind: 'generator',
        how: selector.mode === 'inc' ? 'inc' : 'random',
        modulus: selector.modulus,
        offset: selector.offset ?? 0,
      };
    case 'hash':
      return { kind: 'generator', how: selector.method, modulus: selector.modulus, offset: selector.offset ?? 0 };
    case 'rt':
      return selector.key.endsWith(' nexthop') ? { kind: 'nextHop' } : unknown;
    case 'socket':
    case 'tcpOption':
    case 'concat':
      return unknown;
  }
}

function payloadField(protocol: string, field: string): Field | undefined {
  switch (protocol) {
    case 'ip':
    case 'ip6':
      return protocol === 'ip6' && field === 'length' ? 'payloadLength' : ipFields.get(field);
    case 'tcp':
      return field === 'flags' ? 'tcpFlags' : portFields.get(field);
    case 'th':
    case 'udp':
    case 'udplite':
    case 'sctp':
    case 'dccp':
      return portFields.get(field);
    case 'icmp':
    case 'icmpv6':
      return field === 'type' ? 'icmpType' : field === 'code' ? 'icmpCode' : undefined;
    default:
      return undefined;
  }
}

const ipFields: ReadonlyMap<string, Field> = new Map<string, Field>([
  ['saddr', 'source'],
  ['daddr', 'destination'],
  ['protocol', 'protocol'],
  ['nexthdr', 'protocol'],
  ['length', 'length'],
  ['ttl', 'hopLimit'],
  ['hoplimit', 'hopLimit'],
  ['dscp', 'dscp'],
  ['ecn', 'ecn'],
]);
const portFields: ReadonlyMap<string, Field> = new Map<string, Field>([
  ['sport', 'sourcePort'],
  ['dport', 'destinationPort'],
]);

function metaPart(key: string): KeyPart | undefined {
  switch (key) {
    case 'iif':
    case 'iifname':
      return { kind: 'interface', side: 'in' };
    case 'oif':
    case 'oifname':
      return { kind: 'interface', side: 'out' };
    case 'l4proto':
      return { kind: 'field', field: 'protocol' };
    case 'nfproto':
    case 'protocol':
      return { kind: 'field', field: 'family' };
    case 'mark':
      return { kind: 'field', field: 'mark' };
    case 'length':
      return { kind: 'field', field: 'length' };
    case 'skuid':
      return { kind: 'field', field: 'user' };
    case 'pkttype':
      return { kind: 'field', field: 'packetType' };
    default:
      return undefined;
  }
}

function ctPart(key: string, direction: 'original' | 'reply' | undefined): KeyPart | undefined {
  if (key === 'state') return { kind: 'state' };
  if (key === 'mark') return { kind: 'field', field: 'connectionMark' };
  if (key === 'protocol' || key === 'l3proto') {
    return { kind: 'field', field: key === 'protocol' ? 'protocol' : 'family' };
  }
  if (key === 'zone') {
    return { kind: 'field', field: direction === undefined ? 'connectionZone' : `${direction}Zone` };
  }
  if (key === 'expiration') return { kind: 'field', field: 'expiration' };
  const counted = counts.get(key);
  if (counted !== undefined) return { kind: 'field', field: `${direction ?? 'all'}${counted}` };
  if (direction === undefined) return undefined;
  const end = ctEnds.get(key.replace(/^ip6? /, ''));
  return end === undefined ? undefined : { kind: 'field', field: `${direction}${end}` };
}

const counts: ReadonlyMap<string, 'Packets' | 'Bytes' | 'Average'> = new Map([
  ['packets', 'Packets'],
  ['bytes', 'Bytes'],
  ['avgpkt', 'Average'],
]);

const ctEnds = new Map([
  ['saddr', 'Source'],
  ['daddr', 'Destination'],
  ['proto-src', 'SourcePort'],
  ['proto-dst', 'DestinationPort'],
] as const) as ReadonlyMap<string, 'Source' | 'Destination' | 'SourcePort' | 'DestinationPort'>;

function valueRange(text: string, field: Field, isV6: boolean | undefined): ValueRange | undefined {
  switch (field) {
    case 'source':
    case 'destination':
    case 'originalSource':
    case 'originalDestination':
    case 'replySource':
    case 'replyDestination':
      return addressPattern(text)?.range;
    case 'sourcePort':
    case 'destinationPort':
    case 'originalSourcePort':
    case 'originalDestinationPort':
    case 'replySourcePort':
    case 'replyDestinationPort':
      return portRanges(text.replace('-', ':'))?.[0];
    case 'protocol':
      return single(protocolNumber(text)) ?? numberRange(text);
    case 'icmpType':
      return numberRange(text) ?? single((isV6 ? icmpv6Types : icmpTypes).get(text));
    case 'icmpCode':
      return numberRange(text) ?? single(rejectCodes[isV6 ? 'icmpv6' : 'icmp']?.get(text));
    case 'tcpFlags': {
      const bits = flagBits(text);
      return bits === undefined ? undefined : { first: bits, last: bits };
    }
    case 'packetType': {
      const number = ['host', 'broadcast', 'multicast'].indexOf(text === 'unicast' ? 'host' : text);
      return number === -1 ? undefined : { first: number, last: number };
    }
    case 'dscp':
      return numberRange(text) ?? single(classOf(text));
    case 'ecn':
      return numberRange(text) ?? single(ecnOf(text));
    case 'expiration': {
      const [first, last = first] = text.split('-').map(parseDuration);
      return first === undefined || last === undefined ? undefined : { first, last };
    }
    default:
      return numberRange(text);
  }
}

const congestion: ReadonlyMap<string, number> = new Map([
  ['not-ect', 0],
  ['ect1', 1],
  ['ect0', 2],
  ['ce', 3],
]);

export function ecnOf(text: string): number | undefined {
  return congestion.get(text);
}

/** Names of RFC 2474, 2597 and 3246: `cs1`, `af11`, `ef`, `be`. */
export function classOf(text: string): number | undefined {
  const [, selector] = /^cs([0-7])$/.exec(text) ?? [];
  if (selector !== undefined) return Number(selector) * 8;
  const [, level, drop] = /^af([1-4])([1-3])$/.exec(text) ?? [];
  if (level !== undefined) return Number(level) * 8 + Number(drop) * 2;
  return text === 'ef' ? 46 : text === 'be' ? 0 : undefined;
}

/** `syn`, `fin|syn`, `0x2`. */
export function flagBits(text: string): number | undefined {
  if (/^(?:0x[0-9a-f]+|\d+)$/i.test(text)) return Number(text);
  const bits = text.split(/[|,]/).map((flag) => flags.get(flag.trim()));
  return bits.every((bit) => bit !== undefined) ? bits.reduce<number>((sum, bit) => sum | (bit ?? 0), 0) : undefined;
}

const flags: ReadonlyMap<string, number> = new Map([
  ['fin', 1],
  ['syn', 2],
  ['rst', 4],
  ['psh', 8],
  ['ack', 16],
  ['urg', 32],
  ['ecn', 64],
  ['cwr', 128],
]);

function familyRange(text: string): ValueRange | undefined {
  const number = families.get(text);
  return number === undefined ? undefined : { first: number, last: number };
}

const families: ReadonlyMap<string, number> = new Map([
  ['ipv4', 2],
  ['ip', 2],
  ['0x0800', 2],
  ['ipv6', 10],
  ['ip6', 10],
  ['0x86dd', 10],
]);

function single(value: string | number | undefined): ValueRange | undefined {
  const number = value === undefined || value === '' ? Number.NaN : Number(value);
  return Number.isInteger(number) ? { first: number, last: number } : undefined;
}

/** `5`, `0x10`, `1-5`. */
function numberRange(text: string): ValueRange | undefined {
  const [first = '', last = first, ...rest] = text.split('-');
  const isNumber = (part: string) => /^(?:\d+|0x[0-9a-f]+)$/i.test(part);
  return rest.length === 0 && isNumber(first) && isNumber(last)
    ? { first: Number(first), last: Number(last) }
    : undefined;
}

/** The mask of `left & mask`. */
export function maskValue(text: string, part: KeyPart): Value | undefined {
  const pattern = partPattern(text, part);
  return pattern !== undefined && 'first' in pattern ? pattern.first : undefined;
}
