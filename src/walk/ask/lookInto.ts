import { single } from '../../common/ranges/valueSet.ts';
import type { Key, KeyPattern } from '../../netfilter/meaning.ts';
import type { NftElement } from '../../netfilter/nft/ast.ts';
import { patternOf } from '../../netfilter/nft/meaning/keyMeaning.ts';
import { cached, type WalkContext } from '../context.ts';
import type { Flow } from '../flow.ts';
import { lastSeen, setList } from '../hooks/memory.ts';
import type { WalkRule, WalkSet } from '../input/walkInput.ts';
import { indexPatterns, lookUp, type PatternIndex } from '../values/patternIndex.ts';
import { drawn } from './answers.ts';
import { lookedUp } from './lookedUp.ts';
import { type FieldPlace, fieldPlace, narrowed } from './narrow.ts';
import { readsChecksum } from './readsChecksum.ts';
import { seenKeyText } from './seenKeyText.ts';

/** Part of a flow, and its entry in a set or map; undefined: there is none. */
export interface LookedInto<T> {
  readonly flow: Flow;
  readonly element: T | undefined;
}

/** Looks a key up in a named set or map of the rule's table; undefined: the result is unknown. */
export function lookInto<T>(
  flow: Flow,
  key: Key,
  where: string | readonly { readonly key?: KeyPattern; readonly value?: T }[] | readonly KeyPattern[],
  read: (element: NftElement) => T | undefined,
  rule: WalkRule,
  context: WalkContext,
): readonly LookedInto<T>[] | undefined {
  if (key.some((part) => part.kind === 'unknown') || hangsOnChecksum(flow, key)) return undefined;
  if (typeof where !== 'string') {
    const index = cached(context, where, () => indexPatterns(inlineElements<T>(where)));
    return search(flow, key, index, rule, context);
  }
  const set = rule.chain.table.sets.get(where);
  if (set === undefined) return undefined;
  const index = cached(context, set, () => indexOf(set, key, read, context));
  if (index === undefined) return undefined;
  const found = search(flow, key, index, rule, context);
  return set.isDynamic || flow.memory !== undefined || context.seen.size > 0
    ? found.map((part) => withMemory(part, key, set, read, rule, context))
    : found;
}

/** Next to the protocol it decides nothing: no element has ICMP and a port. */
function hangsOnChecksum(flow: Flow, key: Key): boolean {
  let hangs = false;
  for (const part of key) {
    if (part.kind !== 'field') continue;
    if (part.field === 'protocol') return false;
    hangs ||= readsChecksum(flow, part.field);
  }
  return hangs;
}

function inlineElements<T>(
  where: readonly { readonly key?: KeyPattern; readonly value?: T }[] | readonly KeyPattern[],
): readonly { readonly key: KeyPattern; readonly value: T }[] {
  return where.map((element) =>
    Array.isArray(element)
      ? { key: element as KeyPattern, value: true as T }
      : (element as { readonly key: KeyPattern; readonly value: T }),
  );
}

/** Elements that have expired since the dump was taken are gone. */
function indexOf<T>(
  set: WalkSet,
  key: Key,
  read: (element: NftElement) => T | undefined,
  context: WalkContext,
): PatternIndex<T> | undefined {
  const elements: { readonly key: KeyPattern; readonly value: T }[] = [];
  for (const element of set.elements) {
    if (element.expires !== undefined && element.expires <= context.elapsed) continue;
    const pattern = element.key.length === 1 && element.key[0] === '*' ? [] : patternOf(element.key, key);
    const value = read(element);
    if (pattern === undefined || value === undefined) return undefined;
    elements.push({ key: pattern, value });
  }
  return indexPatterns(elements);
}

function search<T>(
  flow: Flow,
  key: Key,
  index: PatternIndex<T>,
  rule: WalkRule,
  context: WalkContext,
): readonly LookedInto<T>[] {
  const generator = key.findIndex((part) => part.kind === 'generator');
  const part = key[generator];
  if (part?.kind === 'generator') {
    return drawn(flow, part, rule).flatMap(({ flow: one, value }) => find(one, key, index, context, value));
  }
  return find(flow, key, index, context, 0);
}

function find<T>(
  flow: Flow,
  key: Key,
  index: PatternIndex<T>,
  context: WalkContext,
  number: number,
): readonly LookedInto<T>[] {
  const found = lookUp<Flow, T>(
    index,
    flow,
    (one, at) => {
      const part = key[at];
      if (part === undefined) return undefined;
      return part.kind === 'generator' ? single(number) : lookedUp(one, part, context);
    },
    (one, at, values) => {
      const part = key[at];
      const place: FieldPlace | undefined =
        part?.kind === 'field'
          ? fieldPlace(one, part.field)
          : part?.kind === 'addressType'
            ? { kind: 'packet', dimension: part.side }
            : undefined;
      return place === undefined ? one : narrowed(one, place, values);
    },
  );
  return found.map(({ subject, elements }) => ({ flow: subject, element: elements[0] }));
}

/** What packets added, before or on this walk, counts in addition to the listing. */
function withMemory<T>(
  part: LookedInto<T>,
  key: Key,
  set: WalkSet,
  read: (element: NftElement) => T | undefined,
  rule: WalkRule,
  context: WalkContext,
): LookedInto<T> {
  const text = seenKeyText(part.flow, key, context);
  if (text === undefined) return part;
  const seen = lastSeen(part.flow, setList(rule.chain.table, set.name), text, context);
  if (seen === undefined) return part;
  const isAlive = seen.at !== undefined && (set.timeout === undefined || context.elapsed - seen.at < set.timeout);
  if (!isAlive) return { flow: part.flow, element: undefined };
  const added = seen.value === undefined ? { key: [text] } : { key: [text], value: [seen.value] };
  return { flow: part.flow, element: part.element ?? read(added) };
}
