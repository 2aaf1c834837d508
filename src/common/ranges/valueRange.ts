/** Addresses of IPv6 are bigints, everything else numbers; both compare with `<`. */
export type Value = number | bigint;

/** All values from `first` to `last`. */
export interface RangeOf<V> {
  readonly first: V;
  readonly last: V;
}

export type ValueRange = RangeOf<Value>;

/** The next value. */
export function after<V extends Value>(value: V): V {
  return (typeof value === 'bigint' ? value + 1n : Number(value) + 1) as V;
}

/** The value in front of it. */
export function before<V extends Value>(value: V): V {
  return (typeof value === 'bigint' ? value - 1n : Number(value) - 1) as V;
}
