import type { ChainKey } from '../../node/chains/chainKey.ts';
import type { Finding } from '../finding.ts';

/** A finding of a check that needs no manifests, and the chain it is about. */
export interface DumpFinding {
  readonly finding: Finding;
  /** If this chain is as expected, the finding says nothing new. Undefined: the finding always appears. */
  readonly about?: ChainKey;
  /** A comparison with manifests reports it in other words. */
  readonly isForDumpsAlone?: true;
}
