import type { Origin } from './diagnostic.ts';

/** Where an origin stands in its text, for people. Lines and columns count from 1, columns in characters. */
export interface Place {
  readonly line: number;
  readonly column: number;
  /** After the last character; only of what ends in the same line. */
  readonly endColumn?: number;
  /** The whole line, without its end. */
  readonly lineText: string;
  /** The column in UTF-16 units, from 0. */
  readonly index: number;
  /** `spec.ports[0].port`; empty: the document itself. */
  readonly pathText: string;
  /** `Service shop/a`, where the object has a name. */
  readonly object?: string;
}

/** Finds a place; undefined where the text is gone. */
export type Locate = (origin: Origin) => Place | undefined;
