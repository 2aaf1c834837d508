/** Values by key, of which only the last few that were asked for are kept. */
export interface LastFew<T> {
  /** What is kept under the key, made if there is nothing. */
  readonly of: (key: string, make: () => T) => T;
}

/** People and nodes take turns between some modes, versions and settings; more must not make it grow without end. */
const most = 8;

export function lastFew<T>(): LastFew<T> {
  const kept = new Map<string, T>();
  return {
    of: (key, make) => {
      const value = kept.has(key) ? (kept.get(key) as T) : make();
      // A map keeps the order in which keys were added.
      kept.delete(key);
      kept.set(key, value);
      const [oldest] = kept.keys();
      if (kept.size > most && oldest !== undefined) kept.delete(oldest);
      return value;
    },
  };
}
