import type { Finding } from '../finding.ts';

/** A finding of a check that needs no manifests, and the chains it is about. */
export interface DumpFinding {
  readonly finding: Finding;
  /** `nat KUBE-POSTROUTING`: where such a chain is as expected, the finding says nothing new. Empty: always said. */
  readonly about: string;
  /** A comparison with manifests says it in other words. */
  readonly isForDumpsAlone?: true;
}

/**
 * Whether a chain, or any of a table, may be other than expected. Chains that are equal to what was compiled need no
 * checks, which is most of the work on a large node. `isAboutIt`: all findings of the check are about the chain, so that
 * a shared chain that is as expected needs none either.
 */
export type NeedsCheck = (table: string, chain?: string, isAboutIt?: boolean) => boolean;
