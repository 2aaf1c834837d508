/** A list that grows at its end; all its branches share it. */
export interface Trail<T> {
  readonly item: T;
  readonly before: Trail<T> | undefined;
}

export function appended<T>(trail: Trail<T> | undefined, item: T): Trail<T> {
  return { item, before: trail };
}

export function trailItems<T>(trail: Trail<T> | undefined): readonly T[] {
  const items: T[] = [];
  for (let at = trail; at !== undefined; at = at.before) items.push(at.item);
  return items.reverse();
}

/** Those items that a condition holds for; the same trail if it holds for all. */
export function keptOf<T>(trail: Trail<T> | undefined, isKept: (item: T) => boolean): Trail<T> | undefined {
  const items = trailItems(trail);
  const kept = items.filter(isKept);
  if (kept.length === items.length) return trail;
  return kept.reduce<Trail<T> | undefined>((before, item) => appended(before, item), undefined);
}
