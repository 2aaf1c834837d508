import { addTo } from '../../common/addTo.ts';
import type { Value, ValueRange } from '../../common/ranges/valueRange.ts';
import { hasValue, union } from '../../common/ranges/valueSet.ts';
import type { Condition, Field, Key, KeyPattern, Step } from '../../netfilter/meaning.ts';
import { patternOf } from '../../netfilter/nft/meaning/keyMeaning.ts';
import { plainConditions } from '../../netfilter/plainConditions.ts';
import type { WalkContext } from '../../walk/context.ts';
import type { WalkIpset, WalkRule, WalkTable } from '../../walk/input/walkInput.ts';
import type { Place } from './placesIn.ts';
import { plainText } from './text/keyTexts.ts';

/** How the rules for all destinations tell senders apart. */
export interface AskedSenders {
  /** Networks, and addresses under a mask. */
  readonly networks: readonly Place[];
  /** Single addresses that a rule names: they have no equals. */
  readonly sources: ReadonlySet<Value>;
  /** Which sets and maps name the address, and what else they ask: no set tells addresses with the same text apart. */
  readonly setsOf: (address: Value) => string;
}

export function askedSenders(rules: readonly WalkRule[], context: WalkContext): AskedSenders {
  const networks: Place[] = [];
  const sources = new Set<Value>();
  // By name: many rules may ask the same set.
  const sets = new Map<string, () => readonly NamedSender[]>();
  const noteKey = (table: WalkTable, key: Key, set: LookedUp) => {
    if (!asksForSenderAlone(key.map((part) => (part.kind === 'field' ? part.field : undefined)))) return;
    const name = `${table.family} ${table.name} ${typeof set === 'string' ? set : sets.size} ${plainText(key)}`;
    sets.set(name, () => sendersOfKey(table, key, set));
  };
  const noteCondition = (condition: Condition, table: WalkTable) => {
    if (condition.kind === 'lookup') noteKey(table, condition.key, condition.set);
    if (condition.kind === 'ipset') {
      for (const set of ipsetsOf(condition.set, context))
        sets.set(`ipset ${set.name} ${condition.sides}`, () => sendersOfIpset(set, condition.sides));
    }
    if (condition.kind !== 'values' || !sourceFields.has(condition.field)) return;
    const { ranges, mask } = condition;
    for (const range of ranges) {
      if (mask === undefined && range.first === range.last) sources.add(range.first);
      else networks.push({ ...range, mask });
    }
  };
  const noteStep = (step: Step, { chain: { table } }: WalkRule) => {
    if (step.kind === 'verdictMap') noteKey(table, step.key, step.map);
    else if (step.kind === 'assignFrom' && step.map !== undefined) noteKey(table, step.key, step.map);
    else if (step.kind === 'nat' && step.map !== undefined) noteKey(table, step.map.key, step.map.elements);
    else if (step.kind === 'ask') for (const one of plainConditions(step.condition)) noteCondition(one, table);
  };
  for (const rule of rules) for (const step of rule.steps) noteStep(step, rule);
  let made: ((address: Value) => string) | undefined;
  return {
    networks,
    sources,
    setsOf: (address) => {
      made ??= namesOf(sets);
      return made(address);
    },
  };
}

type LookedUp = string | readonly (KeyPattern | { readonly key: KeyPattern; readonly value: unknown })[];

/** An element that names a sender. */
interface NamedSender {
  readonly source: ValueRange;
  /** The other parts of its key, and what a map has for it. */
  readonly rest: string;
}

const sourceFields: ReadonlySet<Field | undefined> = new Set([
  'source',
  'originalSource',
  'replySource',
  'replyDestination',
] as const);

const destinationFields: ReadonlySet<Field | undefined> = new Set(['destination', 'originalDestination'] as const);

/** Elements that name a destination too count among the rules for it. */
function asksForSenderAlone(fields: readonly (Field | undefined)[]): boolean {
  return fields.some((field) => sourceFields.has(field)) && !fields.some((field) => destinationFields.has(field));
}

function sendersOfKey(table: WalkTable, key: Key, set: LookedUp): readonly NamedSender[] {
  const found: NamedSender[] = [];
  const note = (pattern: KeyPattern | undefined, value: unknown) => {
    for (const [at, part] of key.entries()) {
      const source = pattern?.[at];
      if (part.kind !== 'field' || !sourceFields.has(part.field) || source === undefined || !('first' in source))
        continue;
      found.push({ source, rest: plainText({ others: pattern?.filter((_, other) => other !== at), value }) });
    }
  };
  if (typeof set === 'string') {
    for (const element of table.sets.get(set)?.elements ?? [])
      note(patternOf(element.key, key), { verdict: element.verdict, value: element.value });
  } else {
    for (const one of set) 'value' in one ? note(one.key, one.value) : note(one, undefined);
  }
  return found;
}

/** The set itself, or those that it holds. */
function ipsetsOf(name: string, { input }: WalkContext): readonly WalkIpset[] {
  const set = input.ipsets.get(name);
  if (set?.lists === undefined) return set === undefined ? [] : [set];
  return set.lists.flatMap((inner) => input.ipsets.get(inner) ?? []);
}

function sendersOfIpset(set: WalkIpset, sides: readonly ('src' | 'dst')[]): readonly NamedSender[] {
  const fields = set.dimensions.map((dimension, at): Field | undefined => {
    if (dimension !== 'ip' && dimension !== 'net') return undefined;
    return (sides[at] ?? sides.at(-1)) === 'src' ? 'source' : 'destination';
  });
  if (!asksForSenderAlone(fields)) return [];
  return set.members.flatMap(({ parts, isException }) =>
    parts.flatMap(({ range }, at): readonly NamedSender[] => {
      if (fields[at] !== 'source') return [];
      return [{ source: range, rest: plainText({ others: parts.filter((_, other) => other !== at), isException }) }];
    }),
  );
}

function namesOf(sets: ReadonlyMap<string, () => readonly NamedSender[]>): (address: Value) => string {
  const single = new Map<Value, string>();
  const ranges = new Map<string, ValueRange[]>();
  for (const [name, senders] of sets) {
    for (const { source, rest } of senders()) {
      const text = `${name} ${rest}`;
      if (source.first === source.last) single.set(source.first, `${single.get(source.first) ?? ''}\n${text}`);
      else addTo(ranges, text, source);
    }
  }
  const networks = [...ranges].map(([text, all]) => ({ text, set: union(all) }));
  return (address) => {
    const wide = networks.filter(({ set }) => hasValue(set, address)).map(({ text }) => text);
    return [single.get(address) ?? '', ...wide].join('\n');
  };
}
