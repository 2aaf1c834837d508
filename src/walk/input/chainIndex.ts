import type { Value } from '../../common/ranges/valueRange.ts';
import type { EntranceLine } from '../../netfilter/iptables/read/entranceLine.ts';
import type { Condition, Field } from '../../netfilter/meaning.ts';
import type { WalkRule } from './walkInput.ts';

/** The rules of a long chain by the one value that most of them match. */
export interface ChainIndex {
  readonly field: 'source' | 'destination' | 'destinationPort' | 'sourcePort';
  /** Places of the rules that match this value, in order. */
  readonly byValue: ReadonlyMap<Value, readonly number[]>;
  /** Places of all others. */
  readonly others: readonly number[];
}

/** Undefined: the chain is short, or its rules match nothing in common. */
export function indexChain(rules: readonly WalkRule[]): ChainIndex | undefined {
  if (rules.length < leastIndexed) return undefined;
  const drafts = fields.map((field) => ({ field, byValue: new Map<Value, number[]>(), others: [] as number[] }));
  for (const [at, rule] of rules.entries()) {
    const { entrance } = rule;
    for (const { field, byValue, others } of drafts) {
      const value = entrance === undefined ? askedValue(rule, field) : shownValue(entrance, field);
      if (value === undefined) {
        others.push(at);
        continue;
      }
      const places = byValue.get(value);
      if (places === undefined) byValue.set(value, [at]);
      else places.push(at);
    }
  }
  const best = drafts.reduce((one, other) => (other.others.length < one.others.length ? other : one));
  return best.others.length * 2 < rules.length ? best : undefined;
}

/** Of equal ones the first counts. */
const fields = ['destination', 'destinationPort', 'source', 'sourcePort'] as const;

function shownValue(entrance: EntranceLine, field: ChainIndex['field']): Value | undefined {
  return field === 'destination' || field === 'destinationPort' ? entrance[field] : undefined;
}

/** The first place from `from` on where a packet with this value may match; the number of rules if there is none. */
export function nextPlace(index: ChainIndex, value: Value, from: number, count: number): number {
  const own = firstFrom(index.byValue.get(value) ?? none, from);
  const other = firstFrom(index.others, from);
  return Math.min(own ?? count, other ?? count);
}

const leastIndexed = 16;
const none: readonly number[] = [];

function firstFrom(places: readonly number[], from: number): number | undefined {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] as number) < from) low = middle + 1;
    else high = middle;
  }
  return places[low];
}

/** The single value that a rule matches before it does anything. */
function askedValue(rule: WalkRule, field: Field): Value | undefined {
  for (const step of rule.steps) {
    if (step.kind !== 'ask') return undefined;
    const value = valueAsked(step.condition, field);
    if (value !== undefined) return value;
    if (hasEffect(step.condition)) return undefined;
  }
  return undefined;
}

function valueAsked(condition: Condition, field: Field): Value | undefined {
  if (condition.kind === 'all') {
    for (const each of condition.conditions) {
      const value = valueAsked(each, field);
      if (value !== undefined) return value;
      if (hasEffect(each)) return undefined;
    }
    return undefined;
  }
  if (condition.kind !== 'values' || condition.field !== field || condition.isOutside || condition.mask !== undefined) {
    return undefined;
  }
  const [range, ...more] = condition.ranges;
  return range !== undefined && more.length === 0 && range.first === range.last ? range.first : undefined;
}

/** It may leave something behind, or divide the flow, even if the rule does not match in the end. */
function hasEffect({ kind }: Condition): boolean {
  return (
    kind === 'recent' ||
    kind === 'rate' ||
    kind === 'chance' ||
    kind === 'inTurn' ||
    kind === 'not' ||
    kind === 'any' ||
    kind === 'deviceGroup' ||
    kind === 'realm' ||
    kind === 'unknown'
  );
}
