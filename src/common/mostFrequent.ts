/** The most frequent of several values, compared by a key; if several are equally frequent, the first of them. */
export function mostFrequent<Value>(values: readonly Value[], keyOf: (value: Value) => unknown): Value | undefined {
  const counts = new Map<unknown, number>();
  for (const value of values) counts.set(keyOf(value), (counts.get(keyOf(value)) ?? 0) + 1);
  let most = 0;
  for (const count of counts.values()) most = Math.max(most, count);
  return values.find((value) => counts.get(keyOf(value)) === most);
}
