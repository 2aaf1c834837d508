import type { DumpPlace } from '../node/lines/chainLines.ts';
import type { FindingCode } from '../problems/problemCode.ts';

/** One rule on both sides, in the kernel's spelling. A rule that only moved has both and `isMoved`. */
export interface RuleChange {
  readonly table: string;
  readonly chain: string;
  /** Undefined: only in the dump. */
  readonly expected?: string;
  /** Undefined: missing in the dump. */
  readonly found?: string;
  /** The place of the rule in the dump; for a missing policy rule, the place of its chain. */
  readonly place?: DumpPlace;
  readonly isMoved?: true;
  /**
   * The finding that explains it. `K8N109` stands for everything that another version of kube-proxy writes: reports
   * fold such changes.
   */
  readonly explainedBy?: FindingCode;
}
