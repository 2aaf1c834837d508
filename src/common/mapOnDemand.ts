/** Items by name that are made only when somebody asks for them. */
export interface ItemsOnDemand<T> {
  readonly get: (name: string) => T | undefined;
  readonly has: (name: string) => boolean;
  /** Asked for once. */
  readonly count: () => number;
  readonly values: () => Generator<T, undefined>;
  readonly nameOf: (item: T) => string;
}

/** The same as a map: to go through it makes one item after the other. */
export function mapOnDemand<T>({ get, has, count, values, nameOf }: ItemsOnDemand<T>): ReadonlyMap<string, T> {
  let size: number | undefined;
  const map: ReadonlyMap<string, T> = {
    get,
    has,
    get size() {
      size ??= count();
      return size;
    },
    forEach: (visit, self) => {
      for (const item of values()) visit.call(self, item, nameOf(item), map);
    },
    entries: () => mapped(values(), (item) => [nameOf(item), item]),
    keys: () => mapped(values(), nameOf),
    values,
    [Symbol.iterator]: () => map.entries(),
  };
  return map;
}

function* mapped<T, R>(items: Iterable<T>, show: (item: T) => R): Generator<R, undefined> {
  for (const item of items) yield show(item);
  return undefined;
}
