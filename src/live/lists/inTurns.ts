/** Does something for each item, for at most `width` items at a time. */
export async function inTurns<T>(items: readonly T[], width: number, act: (item: T) => Promise<void>): Promise<void> {
  const take = openTurns(width);
  await Promise.all(items.map((item) => take(() => act(item))));
}

/** Runs what it is given, at most `width` at a time, in the order in which it came. */
export function openTurns(width: number): <T>(act: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (act) => {
    if (running === width) await new Promise<void>((go) => waiting.push(go));
    else running += 1;
    try {
      return await act();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
