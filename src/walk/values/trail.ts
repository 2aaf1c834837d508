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
