import type { ProblemCode } from '../problems/problemCode.ts';
import type { ProblemSeverity } from '../problems/problemEntry.ts';
import type { Origin } from './diagnostic.ts';

/**
 * Something that is wrong or worth saying, before a command gives it its own form: what checks of objects find, for
 * diagnostics and findings alike. The catalogue knows each code.
 */
export interface Problem<Code extends ProblemCode = ProblemCode> {
  readonly code: Code;
  readonly severity?: ProblemSeverity;
  /** What is seen, in one line, with addresses and names. */
  readonly what: string;
  /** How it comes about, where `what` does not tell. */
  readonly why?: string;
  /** What to do about it. */
  readonly fix?: string;
  /** Places in the objects; the first is the main one. */
  readonly places?: readonly Origin[];
  /** `namespace/name` or `namespace/name:port` of the Services that it is about. */
  readonly services?: readonly string[];
  /** What shows it. */
  readonly evidence?: readonly Evidence[];
}

export type Evidence =
  | { readonly kind: 'object'; readonly text: string; readonly origin: Origin }
  | { readonly kind: 'rule'; readonly text: string; readonly file?: string; readonly line?: number }
  | { readonly kind: 'fact'; readonly text: string };
