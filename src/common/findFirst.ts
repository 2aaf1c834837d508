/** The first that passes; of what can be long or costs work to list, nothing behind it is looked at. */
export function findFirst<T>(items: Iterable<T>, passes: (item: T) => boolean): T | undefined {
  for (const item of items) if (passes(item)) return item;
  return undefined;
}
