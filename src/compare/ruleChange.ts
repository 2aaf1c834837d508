import type { DumpPlace } from '../node/lines/chainLines.ts';

/** One rule on both sides, in the kernel's spelling. A rule that only moved has both and `isMoved`. */
export interface RuleChange {
  readonly table: string;
  readonly chain: string;
  /** Undefined: only in the dump. */
  readonly expected?: string;
  /** Undefined: missing in the dump. */
  readonly found?: string;
  /** Of the rule in the dump; where a policy's rule is missing there, of its chain. */
  readonly place?: DumpPlace;
  readonly isMoved?: true;
  /** A finding says why, `K8N109` of all that another version of kube-proxy writes: reports fold such changes. */
  readonly explainedBy?: `K8N${number}`;
}
