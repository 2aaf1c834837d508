/** Does something for each item, for at most `width` items at a time. */
export async function inTurns<T>(items: readonly T[], width: number, act: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let item = items[next]; next < items.length; item = items[next]) {
      next += 1;
      await act(item as T);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
}
