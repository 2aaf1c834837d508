/** Values by key, of which only the last few that were asked for are kept. */
export interface LastFew<T> {
  /** What is kept under the key, made if there is nothing. */
  readonly of: (key: string, make: () => T) => T;
}

export function lastFew<T>(most: number): LastFew<T> {
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
