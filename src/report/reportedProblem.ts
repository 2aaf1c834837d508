import type { ProblemEntry } from '../problems/problemEntry.ts';
import type { Severity } from '../problems/severity.ts';

/** Where a problem is in a file; lines and columns count from 1. */
export interface ProblemPlace {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly endColumn?: number;
}

/** A result of a check, for programs that show it at the file: a problem in a manifest, a golden file that differs. */
export interface ReportedProblem {
  /** The name of the kind of problem: `duplicate-cluster-ip`. */
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

/** All results of a check. */
export interface ProblemReport {
  /** `k8snet lint`. */
  readonly command: string;
  readonly problems: readonly ReportedProblem[];
  /** The meanings of rules, by name. */
  readonly rules: ReadonlyMap<string, ProblemEntry>;
  /** The names of checked things that are fine. */
  readonly passed: readonly string[];
  /** A one-line summary. */
  readonly summary: string;
}
