import type { Family } from '../../../common/addresses/family.ts';
import { addressPattern } from '../../addressRanges.ts';
import type { Condition, ConnectionState, Field, RateCondition } from '../../meaning.ts';
import type { MatchOption } from '../ast.ts';
import { icmpType, icmpv6Type } from '../values/icmpTypes.ts';
import { readMark } from '../values/marks.ts';
import { portRanges } from '../values/portRanges.ts';
import { rateUnit } from '../values/rates.ts';

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
  [
    'limit',
    (options) => ({ kind: 'rate', text: text('', options).trim(), isOver: false, ...bucketOf('limit', options, []) }),
  ],
  [
    'hashlimit',
    (options) => ({
      kind: 'rate',
      text: text('hashlimit', options),
      isOver: options.some(
        ({ name, negated }) => (name === 'hashlimit-above') !== (negated === true && name === 'hashlimit-upto'),
      ),
      ...bucketOf('hashlimit', options, hashlimitFields(options)),
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
      return {
        kind: 'reversePath',
        isLoose: has('loose'),
        isInverted: has('invert'),
        ...(has('validmark') && { usesMark: true }),
      };
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
  // Fragments and headers beside that of the protocol: a trace's packet has none.
  ...['frag', 'hbh', 'dst', 'rt', 'mh'].map((name): [string, Meaning] => [name, () => ({ kind: 'never' })]),
  ['eui64', () => eui64],
  ['devgroup', eachOption(deviceGroup)],
  ['realm', eachOption(realm)],
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

/** How many packets a limit lets through at once; nothing for rates in bytes, and those that are compared alone. */
function bucketOf(
  match: 'limit' | 'hashlimit',
  options: readonly MatchOption[],
  by: readonly Field[] | undefined,
): Pick<RateCondition, 'bucket'> {
  const written = (...names: readonly string[]) => options.find(({ name }) => names.includes(name))?.values[0];
  const rate = match === 'limit' ? (written('limit') ?? '3/hour') : written('hashlimit-upto', 'hashlimit-above');
  const unit = rate === undefined ? undefined : rateUnit(rate);
  const count = Number.parseInt(rate ?? '', 10);
  const burst = Number(written(`${match}-burst`) ?? 5);
  const isMasked = written('hashlimit-srcmask', 'hashlimit-dstmask', 'hashlimit-rate-match') !== undefined;
  if (unit === undefined || !(count > 0) || !(burst > 0) || isMasked || by === undefined) return {};
  return { bucket: { burst, refill: (unit * 1000) / count, by } };
}

/** What has a bucket of its own each. */
function hashlimitFields(options: readonly MatchOption[]): readonly Field[] | undefined {
  const fields: Field[] = [];
  for (const mode of options.find(({ name }) => name === 'hashlimit-mode')?.values[0]?.split(',') ?? []) {
    const field = fieldsOfModes.get(mode);
    if (field === undefined) return undefined;
    fields.push(field);
  }
  return fields;
}

const fieldsOfModes: ReadonlyMap<string, Field> = new Map([
  ['srcip', 'source'],
  ['dstip', 'destination'],
  ['srcport', 'sourcePort'],
  ['dstport', 'destinationPort'],
]);

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

/** Only an address made of a network card's can be one made of the sender's, which nothing shows. */
const eui64: Condition = {
  kind: 'all',
  conditions: [
    { kind: 'values', field: 'source', mask: 0xffff000000n, ranges: [{ first: 0xfffe000000n, last: 0xfffe000000n }] },
    { kind: 'unknown', text: '-m eui64: the address of the network card that sent it' },
  ],
};

function deviceGroup({ name, values }: MatchOption): Condition | undefined {
  const side = name === 'src-group' ? 'in' : name === 'dst-group' ? 'out' : undefined;
  const [value, mask = 0xffffffff, ...rest] = namedNumbers(values[0] ?? '', 'default');
  if (side === undefined || value === undefined || rest.length > 0) return undefined;
  return { kind: 'deviceGroup', side, value, mask };
}

/** `0x1/0xff`, or what iproute2 calls 0; its other names are the node's own. */
function namedNumbers(written: string, zero: string): readonly (number | undefined)[] {
  return written === zero ? [0] : written.split('/').map(readMark);
}

function realm({ name, values }: MatchOption): Condition | undefined {
  const [value, mask = 0xffffffff, ...rest] = namedNumbers(values[0] ?? '', 'cosmos');
  return name !== 'realm' || value === undefined || rest.length > 0 ? undefined : { kind: 'realm', value, mask };
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
