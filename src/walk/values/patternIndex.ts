import type { Value, ValueRange } from '../../common/ranges/valueRange.ts';
import { cut, hasValue, onlyValue, single, union, type ValueSet } from '../../common/ranges/valueSet.ts';
import type { KeyPattern, PartPattern } from '../../netfilter/meaning.ts';

/** Elements of a set or map by the parts of their keys: a hash finds exact parts, ranges are tried one by one. */
export interface PatternIndex<T> {
  readonly root: Level<T>;
  /** The element for everything (`*`). */
  readonly otherwise: T | undefined;
}

interface Level<T> {
  readonly exact: Map<Value | string, Level<T>>;
  readonly wide: { readonly pattern: PartPattern; readonly next: Level<T> }[];
  elements: T[];
  /** Made when it is first asked for. */
  leading?: Leading;
}

/**
 * The exact values of a level by the elements of the next part: one of many thousand endpoints leads to a destination.
 */
interface Leading {
  readonly byNext: ReadonlyMap<Value | string, readonly Value[]>;
  /** Those that continue whatever the next part is. */
  readonly always: readonly Value[];
}

export function indexPatterns<T>(elements: Iterable<{ readonly key: KeyPattern; readonly value: T }>): PatternIndex<T> {
  const root = newLevel<T>();
  let otherwise: T | undefined;
  for (const { key, value } of elements) {
    if (key.length === 0) {
      otherwise = value;
      continue;
    }
    let level = root;
    for (const part of key) level = nextLevel(level, part);
    level.elements.push(value);
  }
  return { root, otherwise };
}

/** What is looked up: values, the name of an interface, or nothing. */
export type Looked = ValueSet | string | undefined;

/** A part of what is looked up, and the elements that match it. */
export interface FoundElements<S, T> {
  readonly subject: S;
  readonly elements: readonly T[];
}

/**
 * Looks up a subject (a flow): `partOf` gives its parts, and `narrow` restricts it to some values of a part. Parts of
 * the subject with different elements are returned separately; together they are the whole.
 */
export function lookUp<S, T>(
  index: PatternIndex<T>,
  subject: S,
  partOf: (subject: S, part: number) => Looked,
  narrow: (subject: S, part: number, values: ValueSet) => S,
): readonly FoundElements<S, T>[] {
  const found = visit([index.root], subject, 0, partOf, narrow);
  if (index.otherwise === undefined) return found;
  const { otherwise } = index;
  return found.map((part) => (part.elements.length === 0 ? { ...part, elements: [otherwise] } : part));
}

function visit<S, T>(
  levels: readonly Level<T>[],
  subject: S,
  part: number,
  partOf: (subject: S, part: number) => Looked,
  narrow: (subject: S, part: number, values: ValueSet) => S,
): readonly FoundElements<S, T>[] {
  const isLeaf = levels.every(({ exact, wide }) => exact.size === 0 && wide.length === 0);
  if (isLeaf) return [{ subject, elements: levels.flatMap(({ elements }) => elements) }];
  const looked = partOf(subject, part);
  if (looked === undefined) return [{ subject, elements: [] }];
  if (typeof looked === 'string') {
    const next = levels.flatMap((level) => nextByName(level, looked));
    return next.length === 0 ? [{ subject, elements: [] }] : visit(next, subject, part + 1, partOf, narrow);
  }
  const value = onlyValue(looked);
  if (value !== undefined) {
    const next = levels.flatMap((level) => nextByValue(level, value));
    return next.length === 0 ? [{ subject, elements: [] }] : visit(next, subject, part + 1, partOf, narrow);
  }
  const results: FoundElements<S, T>[] = [];
  const behind = partOf(subject, part + 1);
  const onlyBehind = behind === undefined || typeof behind === 'string' ? undefined : onlyValue(behind);
  // Values without any element in the end stay together, whatever part of the key separates them.
  const without: ValueRange[] = [];
  // Values that lead to one element stay together as well: it may stand for all addresses of a set.
  const alike = new Map<T, ValueRange[]>();
  for (const piece of pieces(levels, looked, onlyBehind)) {
    const sample = piece[0]?.first as Value;
    const next = levels.flatMap((level) => nextByValue(level, sample));
    const element = onlyElement(next);
    if (element !== undefined) {
      const known = alike.get(element);
      if (known === undefined) alike.set(element, [...piece]);
      else for (const range of piece) known.push(range);
      continue;
    }
    const narrowed = next.length === 0 ? undefined : narrow(subject, part, piece);
    const inner = narrowed === undefined ? [] : visit(next, narrowed, part + 1, partOf, narrow);
    const [only] = inner;
    if (inner.length === 0 || (inner.length === 1 && only?.subject === narrowed && only?.elements.length === 0)) {
      for (const range of piece) without.push(range);
    } else {
      for (const found of inner) results.push(found);
    }
  }
  for (const [element, ranges] of alike) {
    results.push({ subject: narrow(subject, part, union(ranges)), elements: [element] });
  }
  if (results.length === 0) return [{ subject, elements: [] }];
  if (without.length > 0) results.push({ subject: narrow(subject, part, union(without)), elements: [] });
  return results;
}

/** The element to which all of these levels lead, without a further part of the key. */
function onlyElement<T>(levels: readonly Level<T>[]): T | undefined {
  const [first] = levels[0]?.elements ?? [];
  const isOnly = ({ exact, wide, elements }: Level<T>) =>
    exact.size === 0 && wide.length === 0 && elements.every((element) => element === first);
  return levels.every(isOnly) ? first : undefined;
}

/**
 * The values in pieces whose members find the same: each exact value, each range, the rest. If the next part has a
 * single value, exact values that do not lead to it belong to the rest.
 */
function pieces<T>(levels: readonly Level<T>[], values: ValueSet, behind: Value | undefined): readonly ValueSet[] {
  const exact: Value[] = [];
  for (const level of levels) {
    for (const key of behind === undefined ? level.exact.keys() : leadingTo(behind, level))
      if (typeof key !== 'string' && hasValue(values, key)) exact.push(key);
  }
  exact.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const alone = exact
    .filter((value, at) => at === 0 || value !== exact[at - 1])
    .map((value) => ({ first: value, last: value }));
  let rest: readonly ValueSet[] = [cut(values, alone).outside];
  for (const level of levels) {
    for (const { pattern } of level.wide) {
      if (!('first' in pattern)) continue;
      // Empty halves would be divided further: twice as many with every range.
      rest = rest.flatMap((piece) => {
        const { inside, outside } = cut(piece, [pattern]);
        return [inside, outside].filter(({ length }) => length > 0);
      });
    }
  }
  return [...alone.map(({ first }) => single(first)), ...rest].filter(({ length }) => length > 0);
}

function leadingTo<T>(behind: Value, level: Level<T>): readonly Value[] {
  level.leading ??= leadingOf(level.exact);
  const { byNext, always } = level.leading;
  return [...(byNext.get(behind) ?? none), ...always];
}

function leadingOf<T>(exact: Level<T>['exact']): Leading {
  const byNext = new Map<Value | string, Value[]>();
  const always: Value[] = [];
  for (const [key, next] of exact) {
    if (typeof key === 'string') continue;
    if (next.elements.length > 0 || next.wide.length > 0) {
      always.push(key);
      continue;
    }
    for (const value of next.exact.keys()) {
      const known = byNext.get(value);
      if (known === undefined) byNext.set(value, [key]);
      else known.push(key);
    }
  }
  return { byNext, always };
}

function nextByValue<T>(level: Level<T>, value: Value): readonly Level<T>[] {
  const exact = level.exact.get(value);
  if (level.wide.length === 0) return exact === undefined ? none : [exact];
  const wide = level.wide.filter(
    ({ pattern }) => 'first' in pattern && pattern.first <= value && value <= pattern.last,
  );
  const next = wide.map((entry) => entry.next);
  return exact === undefined ? next : [exact, ...next];
}

function nextByName<T>(level: Level<T>, name: string): readonly Level<T>[] {
  const exact = level.exact.get(name);
  const wide = level.wide.filter(({ pattern }) => 'text' in pattern && name.startsWith(pattern.text));
  const next = wide.map((entry) => entry.next);
  return exact === undefined ? next : [exact, ...next];
}

const none: readonly never[] = [];

function newLevel<T>(): Level<T> {
  return { exact: new Map(), wide: [], elements: [] };
}

function nextLevel<T>(level: Level<T>, part: PartPattern): Level<T> {
  const exact =
    'text' in part ? (part.isPrefix ? undefined : part.text) : part.first === part.last ? part.first : undefined;
  if (exact === undefined) {
    // Equal ranges count once: elements with one range in front are common.
    const known = level.wide.find(({ pattern }) => isEqual(pattern, part));
    if (known !== undefined && level.wide.length < mostCompared) return known.next;
    const next = newLevel<T>();
    level.wide.push({ pattern: part, next });
    return next;
  }
  let next = level.exact.get(exact);
  if (next === undefined) {
    next = newLevel();
    level.exact.set(exact, next);
  }
  return next;
}

const mostCompared = 16;

function isEqual(one: PartPattern, other: PartPattern): boolean {
  return 'first' in one && 'first' in other ? one.first === other.first && one.last === other.last : false;
}
