import type { Origin } from '../../diagnostics/diagnostic.ts';

export interface Manifest<T> {
  readonly value: T;
  readonly origin: Origin;
  /** How much of it kubectl showed to people: 0 a line of a table that was cut, 1 a line, to 3, its description; undefined: it is whole. */
  readonly detail?: number;
}
