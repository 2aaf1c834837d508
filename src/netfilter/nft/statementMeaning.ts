import type {
  Branch,
  Condition,
  ConnectionState,
  ConnectionStatus,
  Key,
  KeyPart,
  KeyPattern,
  MapElement,
  NatTarget,
  PartPattern,
  Rejection,
  RouteType,
  Step,
  ValueRange,
} from '../meaning.ts';
import { natTarget } from '../natTarget.ts';
import type {
  AssignStatement,
  LimitStatement,
  MapOperand,
  MatchStatement,
  NatStatement,
  NftElement,
  NftKey,
  RejectStatement,
  Selector,
  SetUpdateStatement,
  Verdict,
  VmapStatement,
} from './ast.ts';
import { rejectCodes } from './icmpNames.ts';
import { dependencies, keyOf, maskValue, partPattern, patternOf } from './keyMeaning.ts';
import { writeSelector } from './selector.ts';

/** What the statements of nft ask and do. Each takes the family of its table, which says what is asked besides. */

export function matchMeaning(statement: MatchStatement, family: string): readonly Step[] {
  const asked = dependencies(statement.left, family).map(ask);
  return [...asked, ask(negatedIf(matchCondition(statement), statement.operator === '!='))];
}

export function vmapMeaning({ key, map }: VmapStatement, family: string): readonly Step[] {
  const parts = keyOf(key);
  const found = map.kind === 'namedMap' ? map.name : elementsOf(map.elements, parts, branchOf);
  const step: Step =
    found === undefined
      ? unknown(`vmap of ${writeSelector(key, 'listing')}`)
      : { kind: 'verdictMap', key: parts, map: found };
  return [...dependencies(key, family).map(ask), step];
}

export function verdictMeaning(verdict: Verdict): Branch {
  return 'chain' in verdict ? verdict : { kind: 'verdict', verdict: verdict.kind };
}

/** Of an element of a verdict map. */
export function branchOf({ verdict }: NftElement): Branch | undefined {
  return verdict && verdictMeaning(verdict);
}

/** Of an element of a map that DNAT or SNAT looks into. */
export function targetOf({ value }: NftElement, port?: string): NatTarget | undefined {
  const [address = '', ownPort] = value ?? [];
  const behind = ownPort ?? port;
  const brackets = address.includes(':') ? `[${address}]` : address;
  return natTarget(behind === undefined ? address : `${brackets}:${behind}`);
}

export function natMeaning({ action, address, port, lookup, flags }: NatStatement, family: string): readonly Step[] {
  const half = action === 'dnat' || action === 'redirect' ? 'destination' : 'source';
  const to = action === 'masquerade' || action === 'redirect' ? action : 'address';
  const isRandom = flags.includes('random') || flags.includes('fully-random');
  if (lookup !== undefined) {
    const key = keyOf(lookup.key);
    const elements = natElements(lookup.map, key, lookup.port);
    return elements === undefined
      ? [unknown(`${action} to a map`)]
      : [
          ...dependencies(lookup.key, family).map(ask),
          { kind: 'nat', half, to, target: {}, map: { key, elements }, isRandom },
        ];
  }
  const target = natTarget(address === undefined ? (port === undefined ? '' : `:${port}`) : joined(address, port));
  return [
    target === undefined
      ? unknown(`${action} to ${joined(address ?? '', port)}`)
      : { kind: 'nat', half, to, target, isRandom },
  ];
}

export function rejectMeaning(statement: RejectStatement): Step {
  const [protocol = '', code = ''] = (statement.with ?? 'icmpx port-unreachable').split(' ');
  if (protocol === 'tcp') return { kind: 'reject', rejection: { kind: 'reset' } };
  const rejection = protocol === 'icmpx' ? icmpx.get(code) : icmpOf(protocol, code);
  return rejection === undefined ? unknown(`reject with ${statement.with}`) : { kind: 'reject', rejection };
}

export function assignMeaning(statement: AssignStatement, family: string): readonly Step[] {
  const { source, target, operation } = statement;
  const from = source ?? (operation === '=' ? undefined : target);
  return [...(from === undefined ? [] : dependencies(from, family).map(ask)), assignment(statement)];
}

function assignment({ target, source, operation, value = '' }: AssignStatement): Step {
  const to = markOf(target);
  const from = source === undefined ? to : markOf(source);
  const bits = Number(value);
  if (to === undefined) return { kind: 'note', text: `${writeSelector(target, 'listing')} set` };
  if (from === undefined || !Number.isInteger(bits)) return unknown(`${writeSelector(target, 'listing')} set`);
  const flip = bits >>> 0;
  if (operation === '=') return { kind: 'assign', target: to, keep: 0, take: 0, flip };
  const left = operation === '|' ? ~flip >>> 0 : operation === '&' ? flip : 0xffffffff;
  const changed = operation === '&' ? 0 : flip;
  return from === to
    ? { kind: 'assign', target: to, keep: left, take: 0, flip: changed }
    : { kind: 'assign', target: to, keep: 0, source: from, take: left, flip: changed };
}

export function setUpdateMeaning(
  { operation, set, key, timeout }: SetUpdateStatement,
  family: string,
): readonly Step[] {
  const step: Step = {
    kind: 'remember',
    operation,
    set,
    key: keyOf(key),
    ...(timeout !== undefined && { timeout }),
  };
  return [...dependencies(key, family).map(ask), step];
}

export function limitMeaning({ isOver, rate, per }: LimitStatement): Step {
  return ask({ kind: 'rate', text: `limit rate ${isOver ? 'over ' : ''}${rate}/${per}`, isOver });
}

/** `xt match comment` asks nothing; of other statements that nobody here reads it is not known what they do. */
export function foreignMeaning(text: string): Step {
  const isHarmless = harmless.some((start) => text === start || text.startsWith(`${start} `));
  const goesOn = /\b(?:accept|drop|reject|return|jump|goto|dnat|snat|masquerade|redirect|queue|vmap|tproxy)\b/.test(
    text,
  );
  return isHarmless && !goesOn ? { kind: 'note', text } : unknown(text);
}

const harmless: readonly string[] = [
  'xt match comment',
  'counter name',
  'meta nftrace set',
  'meta priority set',
  'tcp option',
  'ct helper set',
  'log',
  'quota name',
  'flow add',
  'flow offload',
];

function ask(condition: Condition): Step {
  return { kind: 'ask', condition };
}

function unknown(text: string): Step {
  return { kind: 'unknown', text };
}

function negatedIf(condition: Condition, isNegated: boolean): Condition {
  return isNegated ? { kind: 'not', condition } : condition;
}

function matchCondition(statement: MatchStatement): Condition {
  const { left, right } = statement;
  const parts = keyOf(left);
  const unread: Condition = { kind: 'unknown', text: `${writeSelector(left, 'listing')} ${operandText(statement)}` };
  if (left.kind === 'fib' && right.kind === 'value' && /^(?:oif|oifname)$/.test(left.result)) {
    return reversePath(left, right.key[0] ?? '') ?? unread;
  }
  if (left.kind === 'ct' && (left.key === 'status' || left.key === 'direction'))
    return ctCondition(statement) ?? unread;
  if (right.kind === 'namedSet') return { kind: 'lookup', key: parts, set: right.name };
  const keys: readonly NftKey[] =
    right.kind === 'value'
      ? [right.key]
      : right.kind === 'list'
        ? right.values.map((value) => [value])
        : right.elements;
  const [part, ...others] = parts;
  if (part === undefined || others.length > 0) {
    const patterns = keys.map((key) => patternOf(key, parts));
    const known = patterns.filter((pattern): pattern is KeyPattern => pattern !== undefined);
    return known.length < patterns.length ? unread : { kind: 'lookup', key: parts, set: known };
  }
  const patterns = keys.map(([text]) => partPattern(text ?? '', part));
  const known = patterns.filter((pattern): pattern is PartPattern => pattern !== undefined);
  return known.length < patterns.length ? unread : (partCondition(part, known, statement) ?? unread);
}

function operandText({ right }: MatchStatement): string {
  switch (right.kind) {
    case 'value':
      return right.key.join(' . ');
    case 'list':
      return right.values.join(',');
    case 'namedSet':
      return `@${right.name}`;
    case 'anonymousSet':
      return '{ … }';
  }
}

function partCondition(
  part: KeyPart,
  patterns: readonly PartPattern[],
  statement: MatchStatement,
): Condition | undefined {
  if (part.kind === 'interface') {
    return { kind: 'interface', side: part.side, names: patterns.filter((pattern) => 'text' in pattern) };
  }
  const ranges = sorted(patterns.filter((pattern) => 'first' in pattern));
  switch (part.kind) {
    case 'field': {
      const { operator, mask, right } = statement;
      if (part.field === 'tcpFlags' && mask === undefined && right.kind !== 'anonymousSet') {
        const bits = ranges.reduce((sum, { first }) => sum | Number(first), 0);
        return { kind: 'values', field: part.field, mask: bits, ranges: [{ first: 1, last: 255 }] };
      }
      const bits = mask === undefined ? undefined : maskValue(mask, part);
      if (mask !== undefined && bits === undefined) return undefined;
      const compared = comparedRanges(ranges, operator);
      return { kind: 'values', field: part.field, ...(bits !== undefined && { mask: bits }), ranges: compared };
    }
    case 'state': {
      const states = ranges.flatMap(({ first }) => statesOfBits(Number(first)));
      return { kind: 'state', states };
    }
    case 'addressType': {
      const types = ranges.flatMap(({ first }) => routeTypeNames[Number(first)] ?? []);
      return { kind: 'addressType', side: part.side, types, ...(part.via && { via: part.via }) };
    }
    case 'generator':
      return generated(part, comparedRanges(ranges, statement.operator));
    default:
      return undefined;
  }
}

/** `!=` is turned round as a whole by the caller. */
function comparedRanges(ranges: readonly ValueRange[], operator: MatchStatement['operator']): readonly ValueRange[] {
  const [range] = ranges;
  if (range === undefined) return ranges;
  const least = typeof range.first === 'bigint' ? 0n : 0;
  const most = typeof range.first === 'bigint' ? (1n << 128n) - 1n : 0xffffffff;
  const before = typeof range.first === 'bigint' ? range.first - 1n : range.first - 1;
  const after = typeof range.last === 'bigint' ? range.last + 1n : range.last + 1;
  switch (operator) {
    case '<':
      return range.first > least ? [{ first: least, last: before }] : [];
    case '>':
      return [{ first: after, last: most }];
    case '<=':
      return [{ first: least, last: range.last }];
    case '>=':
      return [{ first: range.first, last: most }];
    default:
      return ranges;
  }
}

/** How many of the numbers that may come out lie in the ranges. */
function generated(part: Extract<KeyPart, { kind: 'generator' }>, ranges: readonly ValueRange[]): Condition {
  const [lowest, highest] = [part.offset, part.offset + part.modulus - 1];
  let count = 0;
  for (const { first, last } of ranges) {
    count += Math.max(0, Math.min(Number(last), highest) - Math.max(Number(first), lowest) + 1);
  }
  if (part.how === 'inc' && count === 1) {
    return { kind: 'inTurn', every: part.modulus, packet: Number(ranges[0]?.first ?? 0) - part.offset };
  }
  return { kind: 'chance', share: count, whole: part.modulus };
}

function sorted(ranges: readonly ValueRange[]): readonly ValueRange[] {
  return ranges.length < 2 ? ranges : [...ranges].sort((a, b) => (a.first < b.first ? -1 : a.first > b.first ? 1 : 0));
}

const routeTypeNames: readonly (readonly RouteType[])[] = [
  [],
  ['unicast'],
  ['local'],
  ['broadcast'],
  ['anycast'],
  ['multicast'],
  ['blackhole'],
  ['unreachable'],
  ['prohibit'],
];

function statesOfBits(bits: number): ConnectionState[] {
  const all = [
    [1, 'invalid'],
    [2, 'established'],
    [4, 'related'],
    [8, 'new'],
    [64, 'untracked'],
  ] as const;
  return all.filter(([bit]) => (bits & bit) !== 0).map(([, state]) => state);
}

function ctCondition({ left, right }: MatchStatement): Condition | undefined {
  const values = right.kind === 'value' ? right.key : right.kind === 'list' ? right.values : undefined;
  if (values === undefined || left.kind !== 'ct') return undefined;
  if (left.key === 'direction') {
    const [direction] = values;
    return direction === 'original' || direction === 'reply' ? { kind: 'direction', direction } : undefined;
  }
  return values.every((value) => statuses.has(value))
    ? { kind: 'status', statuses: values as ConnectionStatus[] }
    : undefined;
}

const statuses: ReadonlySet<string> = new Set([
  'snat',
  'dnat',
  'expected',
  'seen-reply',
  'assured',
  'confirmed',
  'dying',
]);

/** `fib saddr . iif oif missing`: no way back by the interface that the packet came by. */
function reversePath({ flags }: Extract<Selector, { kind: 'fib' }>, found: string): Condition | undefined {
  if (flags[0] !== 'saddr' || (found !== 'missing' && found !== 'exists' && found !== '0')) return undefined;
  return { kind: 'reversePath', isLoose: !flags.includes('iif'), isInverted: found !== 'exists' };
}

function natElements(
  map: MapOperand,
  key: Key,
  port: string | undefined,
): string | readonly MapElement<NatTarget>[] | undefined {
  if (map.kind === 'namedMap') return map.name;
  return elementsOf(map.elements, key, (element) => targetOf(element, port));
}

/** The elements as patterns; undefined: one cannot be read. */
export function elementsOf<T>(
  elements: readonly NftElement[],
  key: Key,
  readValue: (element: NftElement) => T | undefined,
): readonly MapElement<T>[] | undefined {
  const read: MapElement<T>[] = [];
  for (const element of elements) {
    const pattern = element.key.length === 1 && element.key[0] === '*' ? [] : patternOf(element.key, key);
    const value = readValue(element);
    if (pattern === undefined || value === undefined) return undefined;
    read.push({ key: pattern, value });
  }
  return read;
}

function joined(address: string, port: string | undefined): string {
  if (port === undefined) return address;
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

function icmpOf(protocol: string, code: string): Rejection | undefined {
  const number = rejectCodes[protocol]?.get(code);
  if (number === undefined) return undefined;
  const error = [protocol === 'icmp' ? 3 : 1, number] as const;
  return { kind: 'icmp', v4: error, v6: error };
}

const icmpx: ReadonlyMap<string, Rejection> = new Map([
  ['no-route', { kind: 'icmp', v4: [3, 0], v6: [1, 0] }],
  ['port-unreachable', { kind: 'icmp', v4: [3, 3], v6: [1, 4] }],
  ['host-unreachable', { kind: 'icmp', v4: [3, 1], v6: [1, 3] }],
  ['admin-prohibited', { kind: 'icmp', v4: [3, 13], v6: [1, 1] }],
]);

function markOf(selector: Selector): 'mark' | 'connectionMark' | undefined {
  if (selector.kind === 'meta' && selector.key === 'mark') return 'mark';
  return selector.kind === 'ct' && selector.key === 'mark' ? 'connectionMark' : undefined;
}
