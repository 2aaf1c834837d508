import { addTo } from '../common/addTo.ts';
import type { Labels } from '../validate/kinds/objectMeta.ts';

/** Finds what a selector selects, without searching everything for every Service. */
export interface LabelIndex<T> {
  /** Items of the namespace that carry all labels of the selector (which must not be empty), in input order. */
  readonly select: (namespace: string, selector: Labels) => readonly T[];
}

export function labelIndex<T>(
  items: readonly T[],
  namespaceOf: (item: T) => string,
  labelsOf: (item: T) => Labels,
): LabelIndex<T> {
  const byLabel = new Map<string, T[]>();
  for (const item of items) {
    const namespace = namespaceOf(item);
    for (const [key, value] of Object.entries(labelsOf(item))) {
      const at = labelKey(namespace, key, value);
      addTo(byLabel, at, item);
    }
  }
  return {
    select: (namespace, selector) => {
      const pairs = Object.entries(selector);
      const buckets = pairs.map(([key, value]) => byLabel.get(labelKey(namespace, key, value)) ?? []);
      const smallest = buckets.reduce<readonly T[]>(
        (least, bucket) => (bucket.length < least.length ? bucket : least),
        buckets[0] ?? [],
      );
      return smallest.filter((item) => pairs.every(([key, value]) => labelsOf(item)[key] === value));
    },
  };
}

function labelKey(namespace: string, key: string, value: string): string {
  return `${namespace}\0${key}\0${value}`;
}
