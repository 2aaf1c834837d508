import type { Ternary } from '../common/ternary.ts';

/** The first entry that surely matches, and what the list says as a whole. No list means everything. */
export function findBest<T>(
  list: readonly T[] | undefined,
  test: (each: T) => Ternary,
): { readonly answer: Ternary; readonly at: number | undefined } {
  if (list === undefined) return { answer: 'yes', at: undefined };
  let answer: Ternary = 'no';
  for (const [at, each] of list.entries()) {
    const one = test(each);
    if (one === 'yes') return { answer: one, at };
    if (one === 'maybe') answer = one;
  }
  return { answer, at: undefined };
}
