import { after, before, type ValueRange } from '../../../common/ranges/valueRange.ts';
import type { Condition, ConnectionState, KeyPart, KeyPattern, PartPattern, RouteType } from '../../meaning.ts';
import { routeTypes } from '../../meaning.ts';
import type { MatchStatement, NftKey } from '../ast.ts';
import { writeSelector } from '../selector.ts';
import { stateBits } from './connectionBits.ts';
import { deviceCondition, isTransparent, routeDevice } from './deviceCondition.ts';
import { flagCondition } from './flagCondition.ts';
import { isConnectionStatus } from './isConnectionStatus.ts';
import { keyOf, maskValue, partPattern, patternOf } from './keyMeaning.ts';

/** What a match statement asks, without what nft asks besides. */
export function matchCondition(statement: MatchStatement): Condition {
  const { left, right } = statement;
  const parts = keyOf(left);
  const unread: Condition = { kind: 'unknown', text: questionText(statement) };
  if (statement.flagTest !== undefined) return flagCondition(left, statement.flagTest) ?? unread;
  if (left.kind === 'fib' && left.result !== 'type') return routeDevice(left, right) ?? unread;
  if (left.kind === 'socket') return isTransparent(statement) ? { kind: 'transparentSocket' } : unread;
  if (left.kind === 'meta') {
    const device = deviceCondition(left.key, statement);
    if (device !== undefined) return device;
  }
  if ((left.kind === 'meta' || left.kind === 'rt') && /^(?:rt)?classid$/.test(left.key)) {
    return realmCondition(statement) ?? unread;
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
  if (part.kind === 'nextHop' && known.length === patterns.length) {
    return { kind: 'lookup', key: parts, set: known.map((pattern) => [pattern]) };
  }
  return known.length < patterns.length ? unread : (partCondition(part, known, statement) ?? unread);
}

function realmCondition({ right, operator, mask }: MatchStatement): Condition | undefined {
  const value = right.kind === 'value' ? Number(right.key[0]) : Number.NaN;
  const isPlain = (operator === '==' || operator === '!=') && mask === undefined;
  return isPlain && Number.isInteger(value) ? { kind: 'realm', value, mask: 0xffffffff } : undefined;
}

/** As it stands in the rule, but for what "!=" turns round. */
function questionText(statement: MatchStatement): string {
  const { left, mask, operator } = statement;
  const bits = mask === undefined ? '' : ` & ${mask}`;
  const sign = operator === '==' || operator === '!=' ? '' : ` ${operator}`;
  return `${writeSelector(left, 'listing')}${bits}${sign} ${operandText(statement)}`;
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
  switch (operator) {
    case '<':
      return range.first > least ? [{ first: least, last: before(range.first) }] : [];
    case '>':
      return [{ first: after(range.last), last: most }];
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

const routeTypeNames: readonly (readonly RouteType[])[] = [[], ...routeTypes.map((type) => [type])];

function ctCondition({ left, right }: MatchStatement): Condition | undefined {
  const values = right.kind === 'value' ? right.key : right.kind === 'list' ? right.values : undefined;
  if (values === undefined || left.kind !== 'ct') return undefined;
  if (left.key === 'direction') {
    const [direction] = values;
    return direction === 'original' || direction === 'reply' ? { kind: 'direction', direction } : undefined;
  }
  return values.every(isConnectionStatus) ? { kind: 'status', statuses: values } : undefined;
}

/** Bits of NF_CT_STATE_BIT, as nft counts them. */
function statesOfBits(bits: number): ConnectionState[] {
  return [...stateBits].filter(([, bit]) => (bits & bit) !== 0).map(([state]) => state as ConnectionState);
}
