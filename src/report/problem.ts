import type { ProblemEntry } from '../problems/problemEntry.ts';
import type { Severity } from '../problems/severity.ts';

/** Where a problem stands in a file; lines and columns count from 1. */
export interface ProblemPlace {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly endColumn?: number;
}

/** Something that a check has to say, for programs that show it beside the file: a problem of a manifest, a golden file that differs. */
export interface Problem {
  /** `duplicate-cluster-ip`: what the kind of problem is called. */
  readonly rule: string;
  readonly severity: Severity;
  readonly message: string;
  /** The first is the main one. */
  readonly places: readonly ProblemPlace[];
  /** `Service shop/web`. */
  readonly object?: string;
  readonly hint?: string;
  /** It makes the check fail. */
  readonly isFailure: boolean;
}

/** All that a check has to say. */
export interface ProblemReport {
  /** `k8snet lint`. */
  readonly command: string;
  readonly problems: readonly Problem[];
  /** What a rule means, by its name. */
  readonly rules: ReadonlyMap<string, ProblemEntry>;
  /** The names of what was checked and is fine. */
  readonly passed: readonly string[];
  /** One line that sums it up. */
  readonly summary: string;
}
