/**
 * Values by the identity of what they were made from. A list that was edited has nearly the same items in the same order:
 * a pass through it finds the next value where the last pass had it, and asks a map only for what moved.
 */
export interface KeptInOrder<K extends object, V> {
  readonly pass: () => PassInOrder<K, V>;
}

export interface PassInOrder<K extends object, V> {
  readonly get: (key: K) => V | undefined;
  readonly set: (key: K, value: V) => void;
}

export function keptInOrder<K extends object, V>(): KeptInOrder<K, V> {
  const kept = new WeakMap<K, Kept<K, V>>();
  let last: Kept<K, V>[] = [];
  return {
    pass: () => {
      const before = last;
      const own: Kept<K, V>[] = [];
      let at = 0;
      /** A pass in which nobody asks leaves the order as it is. */
      const add = (one: Kept<K, V>) => {
        last = own;
        own.push(one);
      };
      /** One item less, or another one in its place, and the others follow as before. */
      const next = (key: K): Kept<K, V> | undefined => {
        for (let place = at; place < at + 2; place += 1) {
          const one = before[place];
          if (one?.key !== key) continue;
          at = place + 1;
          return one;
        }
        return kept.get(key);
      };
      return {
        get: (key) => {
          const one = next(key);
          if (one !== undefined) add(one);
          return one?.value;
        },
        set: (key, value) => {
          const one = kept.get(key);
          if (one !== undefined) {
            one.value = value;
            return;
          }
          const fresh = { key, value };
          kept.set(key, fresh);
          add(fresh);
        },
      };
    },
  };
}

interface Kept<K, V> {
  readonly key: K;
  value: V;
}
