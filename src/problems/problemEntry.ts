import type { Severity } from './severity.ts';

/**
 * What is known about one kind of problem, regardless of the check that finds it: the text of `explain` and the docs
 * for its code. The words of one occurrence come from the check.
 */
export interface ProblemEntry {
  readonly severity: ProblemSeverity;
  /** A few words, for lists; where there are none, `what` is short enough. */
  readonly title?: string;
  /** What stands in the input, in the dump or on the way of a packet. */
  readonly what: string;
  /** How it comes about. */
  readonly why?: string;
  /** What to do about it. */
  readonly fix: string;
  /** Issues and documents: `kubernetes/kubernetes#71305`, `KEP-3178`. */
  readonly refs?: readonly string[];
  /** It is about manifests, configuration or kube-proxy's design: it fails a run only where asked for. */
  readonly isAdvice?: boolean;
  /** Other codes that say the same of the same objects in other outputs: `K8N501` and `no-endpoints`. */
  readonly aliases?: readonly string[];
}

/** `info` is the word of findings for what diagnostics call a note: both are printed, and stay. */
export type ProblemSeverity = Severity | 'info';

/** What a comparison or a dump can show, by a stable id. */
export interface FindingEntry extends ProblemEntry {
  readonly severity: Exclude<ProblemSeverity, 'note'>;
  readonly title: string;
  readonly why: string;
  readonly refs: readonly string[];
  readonly isAdvice: boolean;
}

/** A catalogue by code. Its type contains the codes and not the words: types of the API do not copy these. */
export function entriesOf<Entry>(): <Code extends string>(
  entries: Readonly<Record<Code, Entry>>,
) => Readonly<Record<Code, Entry>> {
  return (entries) => entries;
}

/** What diagnostics report. */
export interface DiagnosticEntry extends ProblemEntry {
  readonly severity: Severity;
}
