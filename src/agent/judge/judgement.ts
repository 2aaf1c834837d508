import type { Family } from '../../common/addresses/family.ts';
import type { DiffReport, ReportProblem } from '../../public/core.ts';
import type { StoredObject } from '../follow/objectStore.ts';

/** Everything that one comparison needs, as plain data for a thread. */
export interface JudgeRequest {
  readonly node: string;
  readonly objects: readonly StoredObject[];
  readonly files: readonly JudgedFile[];
  /** Services (`namespace/name`) that have just changed: their differences are not judged. */
  readonly changing: ReadonlySet<string>;
  /** Objects and files are a part of the node: so many endpoints has the rest of it. */
  readonly otherEndpoints?: EndpointCounts;
}

export interface JudgedFile {
  /** Its name in `collect`: `dumps/nft.txt`. */
  readonly file: string;
  readonly bytes: Uint8Array;
}

export type EndpointCounts = Readonly<Record<Family, number>>;

/** The result of a comparison. */
export type Judgement =
  | Judged
  /** There is no answer: objects cannot be compiled, or rules cannot be read. */
  | { readonly kind: 'undecided'; readonly why: string };

export interface Judged {
  readonly kind: 'judged';
  readonly problems: readonly ReportProblem[];
  readonly mode: string;
  readonly notes: readonly string[];
  readonly report: DiffReport;
  /** The endpoints of each Service (`namespace/name`) that rules are expected of. */
  readonly services: ReadonlyMap<string, EndpointCounts>;
  /** Version and settings that the rules were expected of, as one text. */
  readonly settled: string;
}
