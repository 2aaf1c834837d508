import type { ChainKey } from '../../node/chains/chainKey.ts';
import type { Finding } from '../finding.ts';

/** A finding of a check that needs no manifests, and the chain it is about. */
export interface DumpFinding {
  readonly finding: Finding;
  /** Where such a chain is as expected, the finding says nothing new. Undefined: always said. */
  readonly about?: ChainKey;
  /** A comparison with manifests says it in other words. */
  readonly isForDumpsAlone?: true;
}
