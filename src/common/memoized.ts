/**
 * A function of immutable values that computes its result once for each value and keeps it as long as the value lives.
 * The result must depend on that value alone.
 */
export function memoized<Value extends object, Result>(compute: (value: Value) => Result): (value: Value) => Result {
  const known = new WeakMap<Value, { readonly result: Result }>();
  return (value) => {
    let entry = known.get(value);
    if (entry === undefined) {
      entry = { result: compute(value) };
      known.set(value, entry);
    }
    return entry.result;
  };
}
