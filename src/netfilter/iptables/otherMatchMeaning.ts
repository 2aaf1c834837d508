import type { Family } from '../../common/family.ts';
import { addressPattern } from '../addressRanges.ts';
import type { Condition, ConnectionState } from '../meaning.ts';
import type { MatchOption } from './ast.ts';
import { icmpType, icmpv6Type } from './icmpTypes.ts';
import { readMark } from './marks.ts';
import { portRanges } from './portRanges.ts';

/** What a match asks that is kept as its options. A match or option that is not known here is answered `unknown`. */
export function otherMatchMeaning(name: string, options: readonly MatchOption[], family: Family): Condition {
  const meaning = meanings.get(name)?.(options, family);
  return meaning ?? { kind: 'unknown', text: text(name, options) };
}

type Meaning = (options: readonly MatchOption[], family: Family) => Condition | undefined;

/** Each option is a condition of its own; undefined: one is not known. */
function eachOption(read: (option: MatchOption, family: Family) => Condition | undefined): Meaning {
  return (options, family) => {
    const conditions: Condition[] = [];
    for (const option of options) {
      const condition = read(option, family);
      if (condition === undefined) return undefined;
      conditions.push(option.negated ? { kind: 'not', condition } : condition);
    }
    return { kind: 'all', conditions };
  };
}

/** A packet without a connection has no mark: not this one, and no other one either. */
function connectionMark([option]: readonly MatchOption[]): Condition | undefined {
  const [value, mask = 0xffffffff, ...rest] = (option?.values[0] ?? '').split('/').map(readMark);
  if (option?.name !== 'mark' || value === undefined || rest.length > 0) return undefined;
  const ranges = [{ first: value, last: value }];
  return { kind: 'values', field: 'connectionMark', mask, ranges, ...(option.negated && { isOutside: true }) };
}

const rate: Meaning = (options) => ({ kind: 'rate', text: text('', options).trim(), isOver: false });

const meanings: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['multiport', eachOption(multiport)],
  [
    'state',
    eachOption(({ name, values }) => {
      const states = (values[0] ?? '').split(',').map((state) => state.toLowerCase());
      return name === 'state' && states.every((state) => connectionStates.has(state))
        ? { kind: 'state', states: states as ConnectionState[] }
        : undefined;
    }),
  ],
  ['connmark', connectionMark],
  ['icmp', eachOption(({ name, values }) => (name === 'icmp-type' ? icmp(1, icmpType(values[0] ?? '')) : undefined))],
  [
    'icmp6',
    eachOption(({ name, values }) => (name === 'icmpv6-type' ? icmp(58, icmpv6Type(values[0] ?? '')) : undefined)),
  ],
  ['iprange', eachOption(addressRange)],
  ['limit', rate],
  [
    'hashlimit',
    (options) => ({
      kind: 'rate',
      text: text('hashlimit', options),
      isOver: options.some(
        ({ name, negated }) => (name === 'hashlimit-above') !== (negated === true && name === 'hashlimit-upto'),
      ),
    }),
  ],
  ['connlimit', connlimit],
  ['quota', (options) => ({ kind: 'rate', text: text('quota', options), isOver: options[0]?.values[0] === '0' })],
  ['length', eachOption(({ name, values }) => (name === 'length' ? numbers('length', values[0] ?? '') : undefined))],
  ['ttl', eachOption(hopLimit)],
  ['hl', eachOption(hopLimit)],
  ['dscp', eachOption(({ name, values }) => (name === 'dscp' ? numbers('dscp', values[0] ?? '') : undefined))],
  ['pkttype', eachOption(({ name, values }) => (name === 'pkt-type' ? packetType(values[0] ?? '') : undefined))],
  ['owner', owner],
  [
    'rpfilter',
    (options) => {
      const known = new Set(['loose', 'invert', 'validmark', 'accept-local']);
      if (options.some(({ name }) => !known.has(name))) return undefined;
      const has = (wanted: string) => options.some(({ name }) => name === wanted);
      return { kind: 'reversePath', isLoose: has('loose'), isInverted: has('invert') };
    },
  ],
  ['socket', (options) => ({ kind: 'localSocket', text: text('socket', options) })],
  [
    'time',
    (options) => ({
      kind: 'time',
      options: new Map(options.map(({ name, values, negated }) => [negated ? `! ${name}` : name, values.join(' ')])),
    }),
  ],
  ['policy', policy],
]);

const connectionStates: ReadonlySet<string> = new Set(['invalid', 'new', 'related', 'established', 'untracked']);

function multiport({ name, values }: MatchOption): Condition | undefined {
  const ranges = portRanges(values[0] ?? '');
  if (ranges === undefined) return undefined;
  const source: Condition = { kind: 'values', field: 'sourcePort', ranges };
  const destination: Condition = { kind: 'values', field: 'destinationPort', ranges };
  switch (name) {
    case 'sports':
      return source;
    case 'dports':
      return destination;
    case 'ports':
      return { kind: 'any', conditions: [source, destination] };
    default:
      return undefined;
  }
}

/** `8`, `3/4`, `any`. */
function icmp(protocol: number, type: string): Condition | undefined {
  const isProtocol: Condition = { kind: 'values', field: 'protocol', ranges: [{ first: protocol, last: protocol }] };
  if (type === 'any') return isProtocol;
  const [, number, code] = /^(\d{1,3})(?:\/(\d{1,3}))?$/.exec(type) ?? [];
  if (number === undefined) return undefined;
  const conditions: Condition[] = [
    isProtocol,
    { kind: 'values', field: 'icmpType', ranges: [{ first: Number(number), last: Number(number) }] },
  ];
  if (code !== undefined) {
    conditions.push({ kind: 'values', field: 'icmpCode', ranges: [{ first: Number(code), last: Number(code) }] });
  }
  return { kind: 'all', conditions };
}

function addressRange({ name, values }: MatchOption): Condition | undefined {
  const pattern = addressPattern(values[0] ?? '');
  const field = name === 'src-range' ? 'source' : name === 'dst-range' ? 'destination' : undefined;
  return pattern === undefined || field === undefined ? undefined : { kind: 'values', field, ranges: [pattern.range] };
}

/** The first connection is one: not above any limit but 0. */
function connlimit(options: readonly MatchOption[]): Condition | undefined {
  const limit = options.find(({ name }) => name === 'connlimit-above' || name === 'connlimit-upto');
  const count = Number(limit?.values[0]);
  if (limit === undefined || Number.isNaN(count)) return undefined;
  const isAbove = (limit.name === 'connlimit-above') !== (limit.negated ?? false);
  return { kind: 'rate', text: text('connlimit', options), isOver: isAbove === count > 0 };
}

function hopLimit({ name, values }: MatchOption): Condition | undefined {
  const number = Number(values[0]);
  if (!Number.isInteger(number)) return undefined;
  const operation = name.slice(-2);
  const range =
    operation === 'lt'
      ? { first: 0, last: number - 1 }
      : operation === 'gt'
        ? { first: number + 1, last: 255 }
        : undefined;
  return { kind: 'values', field: 'hopLimit', ranges: [range ?? { first: number, last: number }] };
}

/** `5`, `0x0a`, `40:1500`. */
function numbers(field: 'length' | 'dscp', written: string): Condition | undefined {
  const [first, last = first] = written.split(':').map((part) => (part === '' ? 65535 : readMark(part)));
  return first === undefined || last === undefined ? undefined : { kind: 'values', field, ranges: [{ first, last }] };
}

function packetType(type: string): Condition | undefined {
  const number = ['unicast', 'broadcast', 'multicast'].indexOf(type);
  return number === -1 ? undefined : { kind: 'values', field: 'packetType', ranges: [{ first: number, last: number }] };
}

function owner(options: readonly MatchOption[]): Condition | undefined {
  const ownerText = text('owner', options);
  const [only, ...others] = options;
  if (only?.name !== 'uid-owner' || others.length > 0) return { kind: 'owner', text: ownerText };
  const [first = '', last = first] = (only.values[0] ?? '').split('-');
  const isNumeric = /^\d+$/.test(first) && /^\d+$/.test(last);
  const user = isNumeric ? { user: { first: Number(first), last: Number(last) } } : {};
  const condition: Condition = { kind: 'owner', text: ownerText, ...user };
  return only.negated ? { kind: 'not', condition } : condition;
}

/** Without IPsec no packet has a policy. */
function policy(options: readonly MatchOption[]): Condition | undefined {
  const kind = options.find(({ name }) => name === 'pol')?.values[0];
  return kind === 'none' ? { kind: 'always' } : kind === 'ipsec' ? { kind: 'never' } : undefined;
}

function text(name: string, options: readonly MatchOption[]): string {
  const words = options.map(
    ({ name: option, values, negated }) =>
      `${negated ? '! ' : ''}--${option}${values.map((value) => ` ${value}`).join('')}`,
  );
  return [name === '' ? '' : `-m ${name}`, ...words].join(' ').trim();
}
