/** Random choices that a seed repeats. */
export interface Dice {
  /** From 0 to `count` - 1. */
  readonly below: (count: number) => number;
  /** True in so many of a hundred cases. */
  readonly percent: (share: number) => boolean;
  readonly pick: <T>(items: readonly T[]) => T;
  readonly times: <T>(least: number, most: number, make: (at: number) => T) => readonly T[];
}

/** Mulberry32. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    below,
    percent: (share) => below(100) < share,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    times: (least, most, make) => Array.from({ length: least + below(most - least + 1) }, (_, at) => make(at)),
  };
}
