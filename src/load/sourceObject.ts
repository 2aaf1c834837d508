import type { Origin } from '../diagnostics/diagnostic.ts';

/** One Kubernetes object as it was read: Lists are split, nothing is checked beyond `kind` and `apiVersion` being text. */
export interface SourceObject {
  readonly apiVersion: string;
  readonly kind: string;
  /** The object's own tree, plain JSON values only. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly origin: Origin;
  /** How much of it kubectl showed to people: from 0, a line of a table that was cut, and 1, a line, to 3; undefined: it is whole. */
  readonly detail?: number;
}
