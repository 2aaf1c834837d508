/**
 * Takes items of a long List while they are read, and may put something smaller in their place: what is dropped early is
 * never copied by the garbage collector.
 */
export interface ItemsAhead {
  /**
   * Reads an item from its bytes where it can do so faster than JSON.parse. Undefined: it can't, or they are not JSON; otherwise the value is
   * put at the end of the list at once, as one that was parsed.
   */
  readonly read: (bytes: Buffer, textOf: TextOf) => unknown;
  /** An item was put at the end of the list; `again` reads it once more, all of it. */
  readonly added: (items: unknown[], again: () => unknown) => void;
  /** All items were put. */
  readonly end: (items: unknown[]) => void;
}

/** Undefined where the bytes are not UTF-8. */
export type TextOf = (bytes: Buffer) => string | undefined;
