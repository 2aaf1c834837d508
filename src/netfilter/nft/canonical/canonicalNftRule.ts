import type {
  AssignStatement,
  LimitStatement,
  MapOperand,
  MatchStatement,
  NatStatement,
  NftElement,
  NftKey,
  NftRule,
  Operand,
  RejectStatement,
  Statement,
} from '../ast.ts';
import { UsualRule } from '../read/usualRule.ts';
import { selectorTypes } from '../selector.ts';
import { canonicalAddress } from '../values/address.ts';
import { datatypeOf } from '../values/datatypes.ts';
import { type Interval, mergeIntervals } from '../values/interval.ts';
import { canonicalKey, canonicalValue } from './canonicalValue.ts';
import { keyOrder } from './keyOrder.ts';

/**
 * The rule as the kernel gives it back to nft 1.0.6: addresses canonical, anonymous sets sorted and merged, marks with
 * eight digits; defaults, handles and counts left out. Rules that say the same in other words become equal. Statements that are
 * canonical already are kept as they are.
 */
export function canonicalNftRule(rule: NftRule, family: string): NftRule {
  if (rule instanceof UsualRule) return rule;
  const statements: Statement[] = [];
  let hasChanged = rule.written !== undefined || rule.handle !== undefined;
  for (const statement of rule.statements) {
    const canonical = canonicalStatement(statement, family);
    if (isTcpReset(canonical) && isTcpMatch(statements.at(-1))) {
      // The kernel's reset matches TCP by itself, and nft hides the match that it adds.
      statements.pop();
      hasChanged = true;
    }
    hasChanged = hasChanged || canonical !== statement;
    statements.push(canonical);
  }
  if (!hasChanged) {
    return rule;
  }
  const { written, handle, ...rest } = rule;
  return { ...rest, statements };
}

function canonicalStatement(statement: Statement, family: string): Statement {
  switch (statement.kind) {
    case 'match':
      return canonicalMatch(statement);
    case 'vmap': {
      if (statement.map.kind === 'namedMap') {
        return statement;
      }
      const elements = canonicalElements(statement.map.elements, selectorTypes(statement.key));
      return elements === statement.map.elements
        ? statement
        : { ...statement, map: { kind: 'anonymousMap', elements } };
    }
    case 'assign': {
      const [type] = selectorTypes(statement.target);
      if (statement.map !== undefined) return canonicalLookup(statement, statement.map, type);
      return canonicalMask(statement, canonicalValue(type, statement.value));
    }
    case 'nat':
      return canonicalNat(statement);
    case 'reject':
      return canonicalReject(statement, family);
    case 'counter':
      // What it has counted is not part of what the rule says.
      return statement.packets === undefined ? statement : { kind: 'counter' };
    case 'limit':
      return canonicalLimit(statement);
    case 'setUpdate': {
      const own = statement.statements;
      const statements = own?.map((one) => (one.kind === 'limit' ? canonicalLimit(one) : one));
      return statements === undefined || statements.every((one, at) => one === own?.[at])
        ? statement
        : { ...statement, statements };
    }
    case 'log': {
      if (statement.level !== 'warn') {
        return statement;
      }
      const { level, ...rest } = statement;
      return rest;
    }
    default:
      return statement;
  }
}

/** Bits that are set or turned round need not be kept before: nft lists `& 0xff or 0x100` and `xor 0x100` in one way. */
function canonicalMask(statement: AssignStatement, value: string): AssignStatement {
  const { mask, operation } = statement;
  if (mask === undefined) return value === statement.value ? statement : { ...statement, value };
  const [kept, changed] = [Number(mask) >>> 0, Number(value) >>> 0];
  const isSet = operation === '|' || (operation === '^' && (kept & changed) === 0);
  const bits = isSet ? (kept | changed) >>> 0 : kept;
  const written = `0x${bits.toString(16).padStart(8, '0')}`;
  return { ...statement, mask: written, operation: isSet ? '|' : operation, value };
}

function canonicalLimit(statement: LimitStatement): LimitStatement {
  if (statement.unit !== undefined || statement.burst !== 5) return statement;
  const { burst, burstUnit, ...rest } = statement;
  return rest;
}

function canonicalLookup(statement: AssignStatement, map: MapOperand, type: string | undefined): AssignStatement {
  if (map.kind === 'namedMap') return statement;
  const types = statement.source === undefined ? [] : selectorTypes(statement.source);
  const elements = canonicalElements(map.elements, types).map((element): NftElement => {
    const value = element.value?.map((part) => canonicalValue(type, part));
    return value === undefined || value.every((part, at) => part === element.value?.[at])
      ? element
      : { ...element, value };
  });
  return elements.every((element, at) => element === map.elements[at])
    ? statement
    : { ...statement, map: { kind: 'anonymousMap', elements } };
}

function canonicalReject(statement: RejectStatement, family: string): RejectStatement {
  const [protocol = '', code = ''] = (statement.with ?? '').split(' ');
  // `nft -n` gives the number.
  const named = /^\d+$/.test(code) ? rejectCodes[protocol]?.[Number(code)] : undefined;
  const kind = named === undefined ? statement.with : `${protocol} ${named}`;
  if (kind === undefined || kind === defaultReject[family]) return kind === undefined ? statement : { kind: 'reject' };
  return kind === statement.with ? statement : { kind: 'reject', with: kind };
}

const rejectCodes: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  icmp: {
    0: 'net-unreachable',
    1: 'host-unreachable',
    2: 'prot-unreachable',
    3: 'port-unreachable',
    9: 'net-prohibited',
    10: 'host-prohibited',
    13: 'admin-prohibited',
  },
  icmpv6: {
    0: 'no-route',
    1: 'admin-prohibited',
    3: 'addr-unreachable',
    4: 'port-unreachable',
    5: 'policy-fail',
    6: 'reject-route',
  },
  icmpx: { 0: 'no-route', 1: 'port-unreachable', 2: 'host-unreachable', 3: 'admin-prohibited' },
};

function canonicalNat(statement: NatStatement): NatStatement {
  const { address, lookup } = statement;
  if (lookup?.map.kind === 'anonymousMap') {
    const { elements } = lookup.map;
    const ordered = canonicalElements(elements, selectorTypes(lookup.key)).map(canonicalTarget);
    return ordered.every((element, index) => element === elements[index])
      ? statement
      : { ...statement, lookup: { ...lookup, map: { kind: 'anonymousMap', elements: ordered } } };
  }
  const canonical = address?.split('-').map(canonicalAddress).join('-');
  return canonical === undefined || canonical === address ? statement : { ...statement, address: canonical };
}

/** Of a map that gives addresses, or addresses with ports. */
function canonicalTarget(element: NftElement): NftElement {
  const [address, port] = element.value ?? [];
  if (address === undefined) {
    return element;
  }
  const [own, ownPort] = [canonicalAddress(address), port && canonicalValue('inet_service', port)];
  if (own === address && ownPort === port) return element;
  return { ...element, value: ownPort === undefined ? [own] : [own, ownPort] };
}

const defaultReject: Readonly<Record<string, string>> = {
  ip: 'icmp port-unreachable',
  ip6: 'icmpv6 port-unreachable',
  inet: 'icmpx port-unreachable',
};

function isTcpReset(statement: Statement): boolean {
  return statement.kind === 'reject' && statement.with === 'tcp reset';
}

function isTcpMatch(statement: Statement | undefined): boolean {
  return (
    statement?.kind === 'match' &&
    statement.operator === '==' &&
    selectorTypes(statement.left)[0] === 'inet_proto' &&
    statement.right.kind === 'value' &&
    statement.right.key[0] === 'tcp'
  );
}

function canonicalMatch(statement: MatchStatement): MatchStatement {
  const types = selectorTypes(statement.left);
  if (types.length === 0) {
    return statement;
  }
  const right = canonicalOperand(statement.right, types);
  const mask = statement.mask === undefined ? undefined : canonicalValue(types[0], statement.mask);
  if (mask === '0xffffffff') {
    const { mask: _, ...rest } = statement;
    return { ...rest, right };
  }
  if (right === statement.right && mask === statement.mask) {
    return statement;
  }
  return mask === undefined ? { ...statement, right } : { ...statement, right, mask };
}

function canonicalOperand(operand: Operand, types: readonly string[]): Operand {
  switch (operand.kind) {
    case 'namedSet':
      return operand;
    case 'value': {
      const key = canonicalKey(types, operand.key);
      return key === operand.key ? operand : { kind: 'value', key };
    }
    case 'list': {
      const order = (value: string) => keyOrder(types, [value]) ?? '';
      const values = operand.values.map((value) => canonicalValue(types[0], value));
      return { kind: 'list', values: values.sort((a, b) => compare(order(a), order(b))) };
    }
    case 'anonymousSet': {
      // One element written: nft takes the braces off. Several that merge to one keep them.
      if (operand.elements.length === 1) {
        return operand.isMerged === true
          ? operand
          : { kind: 'value', key: canonicalKey(types, operand.elements[0] ?? []) };
      }
      const elements = canonicalSet(operand.elements, types);
      return elements.length === 1
        ? { kind: 'anonymousSet', elements, isMerged: true }
        : { kind: 'anonymousSet', elements };
    }
  }
}

function canonicalSet(elements: readonly NftKey[], types: readonly string[]): readonly NftKey[] {
  const datatype = types.length === 1 ? datatypeOf(types[0] ?? '') : undefined;
  if (datatype === undefined) {
    return sortedByKey(
      elements.map((key) => canonicalKey(types, key)),
      (key) => key,
      types,
    );
  }
  const intervals = elements.map(([text]) => datatype.interval(text ?? ''));
  if (!intervals.every((interval) => interval !== undefined)) {
    return elements;
  }
  // A set with a range or a prefix in it, even a /32, is an interval set, and only those merge neighbors.
  const isIntervalSet = elements.some(([text]) => text?.includes('/') || text?.includes('-'));
  const merged = isIntervalSet ? mergeIntervals(intervals) : withoutDoubles(intervals);
  return merged.map((interval) => [datatype.format(interval)]);
}

function withoutDoubles(intervals: readonly Interval[]): readonly Interval[] {
  const byFirst = new Map(intervals.map((interval) => [interval.first, interval] as const));
  return [...byFirst.values()].sort((a, b) => compare(a.first, b.first));
}

/** Elements of an anonymous map: keys canonical, sorted as nft lists them. */
function canonicalElements(elements: readonly NftElement[], types: readonly string[]): readonly NftElement[] {
  // The numbers that a random choice is made among are written in order already.
  if (types[0] === 'integer' && elements.every(({ key }, index) => key[0] === String(index))) {
    return elements;
  }
  const canonical = elements.map((element) => {
    const key = canonicalKey(types, element.key);
    return key === element.key ? element : { ...element, key };
  });
  const sorted = sortedByKey(canonical, (element) => element.key, types);
  return sorted.every((element, index) => element === elements[index]) ? elements : sorted;
}

function sortedByKey<T>(items: readonly T[], keyOf: (item: T) => NftKey, types: readonly string[]): readonly T[] {
  if (items.length < 2) {
    return items;
  }
  const ordered = items.map((item) => ({ item, order: keyOrder(types, keyOf(item)) }));
  return ordered.some(({ order }) => order === undefined)
    ? items
    : ordered.sort((a, b) => compare(a.order ?? '', b.order ?? '')).map(({ item }) => item);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
