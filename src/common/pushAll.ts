/** Puts items at the end of a list. `push(...items)` passes each as an argument, and the stack takes some 100,000. */
export function pushAll<T>(list: T[], items: Iterable<T>): void {
  for (const item of items) list.push(item);
}
