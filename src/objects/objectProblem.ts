import type { Origin } from '../diagnostics/diagnostic.ts';
import type { Problem } from '../diagnostics/problem.ts';
import type { FindingCode } from '../problems/problemCode.ts';

/** What objects say against each other, whichever command asks: the words of its code are in the catalogue. */
export interface ObjectProblem extends Problem<FindingCode> {
  readonly places: readonly Origin[];
  /** `namespace/name` or `namespace/name:port`; undefined: it is about no Service. */
  readonly service?: string;
  /** Instead of that of the catalogue. */
  readonly fix?: string;
  /** For the commands of its fix. */
  readonly names?: { readonly address?: string; readonly slice?: string };
}
