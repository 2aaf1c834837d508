import { fuzzSeed } from './fuzzSeed.ts';

/** Nothing is left out. */
export const takesAll = process.env.K8SNET_TEST_ALL === '1';
/** Where fuzzers have the same inputs every time, this may be of the commit. */
const seed = Number(process.env.DRAW_SEED ?? fuzzSeed);

/** Of many like steps of a long test, or cases of a sweep, those that this run takes: one of so many, at every run another. */
export function drawn<T>(all: readonly T[], oneOf = 2): readonly T[] {
  return takesAll ? all : oneOfEach(all, oneOf, seed);
}

/** One of the first so many, one of the next, …: cases that stand beside each other are alike. */
export function oneOfEach<T>(all: readonly T[], oneOf: number, from: number): readonly T[] {
  calls += 1;
  const own = calls;
  return all.filter((_, at) => {
    const part = Math.floor(at / oneOf);
    const length = Math.min(oneOf, all.length - part * oneOf);
    return at % oneOf === scattered(from, own, part) % length;
  });
}

/** Lists of the same length have others taken. */
let calls = 0;

/** A number of these that shows no order in them, from 0 to 2³² - 1. */
function scattered(...numbers: readonly number[]): number {
  const mixed = numbers.reduce((hash, number) => Math.imul(hash ^ number, 0x9e3779b1) ^ (hash >>> 15), 0x2545f491);
  return (Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b) >>> 0) >>> 8;
}
