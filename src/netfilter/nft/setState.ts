import type { NftElement, NftKey, NftSet } from './ast.ts';
import { canonicalKey, canonicalValue } from './canonical/canonicalValue.ts';
import { keyOrder } from './canonical/keyOrder.ts';
import { type LoadedIntervals, loadIntervals, noIntervals, unloadIntervals } from './values/loadedIntervals.ts';
import { writeVerdict } from './verdict.ts';

/** A set or map of nft's while commands are applied, as the kernel holds it. */
export interface SetState {
  readonly set: NftSet;
  /** By canonical key. */
  readonly elements: Map<string, NftElement>;
  /** Of a concatenation with intervals. */
  readonly loaded?: LoadedIntervals;
}

export function newSet(set: NftSet): SetState {
  const loaded = isOfIntervals(set) ? { loaded: noIntervals() } : {};
  return { set: listedHeader(set), elements: new Map(), ...loaded };
}

export function clearSet({ elements, loaded }: SetState): void {
  elements.clear();
  loaded?.byPlace.clear();
  loaded?.wide.splice(0);
}

/** False: it holds one of them already, and for something else. The others are added. */
export function addElements(state: SetState, elements: readonly NftElement[]): boolean {
  let fits = true;
  for (const element of elements) {
    const key = canonicalKey(state.set.type, element.key);
    const text = keyText(key);
    const present = state.elements.get(text);
    if (present === undefined) {
      if (state.loaded !== undefined && !loadIntervals(state.loaded, state.set.type, key)) {
        fits = false;
        continue;
      }
      state.elements.set(text, canonicalElement(element, key, state.set.valueType));
    } else if (verdictText(present) !== verdictText(element)) {
      // The same verdict again is accepted, and the first element with its comment stays.
      fits = false;
    }
  }
  return fits;
}

/** False: it holds no such element. */
export function deleteElement(state: SetState, key: NftKey): boolean {
  const canonical = canonicalKey(state.set.type, key);
  if (state.loaded !== undefined) {
    unloadIntervals(state.loaded, state.set.type, canonical);
  }
  return state.elements.delete(keyText(canonical));
}

/** The set as nft lists it. */
export function listedSet({ set, elements }: SetState): NftSet {
  return { ...set, elements: sortedElements(set, [...elements.values()]) };
}

/** nft gives a dynamic set a size, and names the flag `timeout` only beside other flags. */
function listedHeader(set: NftSet): NftSet {
  const { elements, ...header } = set;
  const isDynamic = set.flags.includes('dynamic');
  const hasFlags = set.flags.some((flag) => flag !== 'timeout') || set.timeout === undefined;
  return {
    ...header,
    flags: hasFlags ? set.flags : [],
    ...(isDynamic && set.size === undefined ? { size: 65_535 } : {}),
    elements: [],
  };
}

function keyText(key: NftKey): string {
  return key.length === 1 ? (key[0] ?? '') : key.join(' . ');
}

function verdictText(element: NftElement): string {
  return element.verdict === undefined ? (element.value?.join(' . ') ?? '') : writeVerdict(element.verdict);
}

function canonicalElement(element: NftElement, key: NftKey, valueTypes: readonly string[] = []): NftElement {
  if (element.value !== undefined) {
    return { ...element, key, value: element.value.map((part, index) => canonicalValue(valueTypes[index], part)) };
  }
  return key === element.key ? element : { ...element, key };
}

function isOfIntervals(set: NftSet): boolean {
  return set.flags.includes('interval') && set.type.length > 1;
}

/** Concatenations with intervals keep the order they were added in, and so does what cannot be read. */
function sortedElements(set: NftSet, elements: readonly NftElement[]): readonly NftElement[] {
  if (isOfIntervals(set)) {
    return elements;
  }
  const ordered = elements.map((element) => ({ element, order: keyOrder(set.type, element.key) }));
  if (ordered.some(({ order }) => order === undefined)) {
    return elements;
  }
  return ordered.sort((a, b) => compare(a.order ?? '', b.order ?? '')).map(({ element }) => element);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
