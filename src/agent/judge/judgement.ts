import type { DiffReport, ReportProblem } from '../../public/core.ts';
import type { StoredObject } from '../follow/objectStore.ts';

/** Everything that one comparison needs; plain data, which a thread takes. */
export interface JudgeRequest {
  readonly node: string;
  readonly objects: readonly StoredObject[];
  readonly files: readonly JudgedFile[];
  /** Services (`namespace/name`) that changed just now: what differs there is not judged. */
  readonly changing: ReadonlySet<string>;
}

export interface JudgedFile {
  /** As `collect` names it: `dumps/nft.txt`. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

/** What a comparison came to. */
export type Judgement =
  | {
      readonly kind: 'judged';
      readonly report: DiffReport;
      readonly problems: readonly ReportProblem[];
      readonly mode: string;
      readonly notes: readonly string[];
    }
  /** There is no answer: objects that cannot be compiled, rules that cannot be read. */
  | { readonly kind: 'undecided'; readonly why: string };
