import type { DiffReport, ReportProblem } from '../../public/core.ts';
import type { StoredObject } from '../follow/objectStore.ts';

/** Everything that one comparison needs, as plain data for a thread. */
export interface JudgeRequest {
  readonly node: string;
  readonly objects: readonly StoredObject[];
  readonly files: readonly JudgedFile[];
  /** Services (`namespace/name`) that have just changed: their differences are not judged. */
  readonly changing: ReadonlySet<string>;
}

export interface JudgedFile {
  /** Its name in `collect`: `dumps/nft.txt`. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** The result of a comparison. */
export type Judgement =
  | {
      readonly kind: 'judged';
      readonly report: DiffReport;
      readonly problems: readonly ReportProblem[];
      readonly mode: string;
      readonly notes: readonly string[];
    }
  /** There is no answer: objects cannot be compiled, or rules cannot be read. */
  | { readonly kind: 'undecided'; readonly why: string };
