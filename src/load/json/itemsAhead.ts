/**
 * Takes items of a long List while they are read, and may put something smaller in their place: what is dropped early is
 * never copied by the garbage collector.
 */
export interface ItemsAhead {
  /** An item was put at the end of the list; `again` reads it once more. */
  readonly added: (items: unknown[], again: () => unknown) => void;
  /** All items were put. */
  readonly end: (items: unknown[]) => void;
}
