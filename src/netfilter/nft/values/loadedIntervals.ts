import type { NftKey } from '../ast.ts';
import { datatypeOf } from './datatypes.ts';
import type { Interval } from './interval.ts';

/** The elements of a set that is a concatenation with intervals, found by all parts but the last. */
export interface LoadedIntervals {
  /** In kube-proxy's own set (address, protocol, port, source) only the last part is an interval. */
  readonly byPlace: Map<string, Box[]>;
  /** Elements with an interval before their last part. */
  readonly wide: Box[];
}

/** An interval a part. */
type Box = readonly Interval[];

export function noIntervals(): LoadedIntervals {
  return { byPlace: new Map(), wide: [] };
}

/**
 * Adds an element, or returns false where the kernel refuses it: if its first or its last value lies in an element that
 * is there. One that surrounds others is taken, so it depends on the order of loading.
 */
export function loadIntervals(loaded: LoadedIntervals, types: readonly string[], key: NftKey): boolean {
  const box = boxOf(types, key);
  if (box === undefined) {
    return true;
  }
  const place = placeOf(box);
  const boxes = place === undefined ? loaded.wide : (loaded.byPlace.get(place) ?? []);
  const near = place === undefined ? [...loaded.byPlace.values(), boxes] : [boxes, loaded.wide];
  const first = box.map((interval) => interval.first);
  const last = box.map((interval) => interval.last);
  if (near.some((others) => others.some((other) => holds(other, first) || holds(other, last)))) {
    return false;
  }
  boxes.push(box);
  if (place !== undefined) {
    loaded.byPlace.set(place, boxes);
  }
  return true;
}

export function unloadIntervals(loaded: LoadedIntervals, types: readonly string[], key: NftKey): void {
  const box = boxOf(types, key) ?? [];
  const boxes = loaded.byPlace.get(placeOf(box) ?? '') ?? loaded.wide;
  const at = boxes.findIndex((other) => isSame(other, box));
  if (at >= 0) {
    boxes.splice(at, 1);
  }
}

function boxOf(types: readonly string[], key: NftKey): Box | undefined {
  const intervals = key.map((part, index) => datatypeOf(types[index] ?? '')?.interval(part));
  return intervals.every((interval) => interval !== undefined) ? intervals : undefined;
}

function placeOf(box: Box): string | undefined {
  const leading = box.slice(0, -1);
  return leading.every(({ first, last }) => first === last) ? leading.map(({ first }) => first).join('') : undefined;
}

function holds(box: Box, values: readonly string[]): boolean {
  return box.every(({ first, last }, at) => {
    const value = values[at] ?? '';
    return first <= value && value <= last;
  });
}

function isSame(a: Box, b: Box): boolean {
  return a.length === b.length && a.every(({ first, last }, at) => first === b[at]?.first && last === b[at]?.last);
}
