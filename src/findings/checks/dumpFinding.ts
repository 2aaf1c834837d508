import type { Finding } from '../finding.ts';

/** A finding of a check that needs no manifests, and the chains it is about. */
export interface DumpFinding {
  readonly finding: Finding;
  /** `nat KUBE-POSTROUTING`: where such a chain is as expected, the finding says nothing new. Empty: always said. */
  readonly about: string;
  /** A comparison with manifests says it in other words. */
  readonly isForDumpsAlone?: true;
}
