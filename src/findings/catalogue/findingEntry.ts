import type { FindingSeverity } from '../finding.ts';

/** One thing that can be found: what `explain` and its page say about it. */
export interface FindingEntry {
  readonly severity: FindingSeverity;
  /** It is about manifests, configuration or kube-proxy's design: it fails a run only where asked for. */
  readonly isAdvice: boolean;
  /** A few words, for lists. */
  readonly title: string;
  /** What stands in the dump or in the manifests. */
  readonly seen: string;
  /** How it comes about. */
  readonly cause: string;
  /** How to fix it. */
  readonly fix: string;
  /** Issues and documents: `kubernetes/kubernetes#71305`, `KEP-3178`. */
  readonly refs: readonly string[];
}
