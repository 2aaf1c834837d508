/** Orders numbers, and ASCII texts, from small to large; equal ones stay in their order. */
export function ascending<T extends string | number | bigint>(a: T, b: T): -1 | 0 | 1 {
  return a < b ? -1 : a > b ? 1 : 0;
}
