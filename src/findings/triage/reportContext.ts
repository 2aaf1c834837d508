import type { ChainDiff } from '../../compare/compareSets.ts';
import type { Plan } from '../../plan/plan.ts';

/** What was asked, and what is known of the dump beside its rules. */
export interface ReportContext {
  readonly plans: readonly Plan[];
  readonly diffs: readonly ChainDiff[];
  /** Several Nodes are given, and nothing shows which of them the dump is of. */
  readonly isNodeUnknown: boolean;
  /** Addresses of all Nodes that are given: asked for only where the Node is unknown. */
  readonly nodeAddresses: () => readonly string[];
  /** Services (`namespace/name`) whose rules and objects are not of one moment. */
  readonly changing: ReadonlySet<string>;
  /** The only Service that was asked for. */
  readonly service: string | undefined;
}
