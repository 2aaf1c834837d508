/** The first item that passes. The items behind it are not looked at, so they may be many, or expensive to produce. */
export function findFirst<T>(items: Iterable<T>, passes: (item: T) => boolean): T | undefined {
  for (const item of items) if (passes(item)) return item;
  return undefined;
}
