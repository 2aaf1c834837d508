import type { FindingSeverity } from '../../../findings/finding.ts';
import type { DiffSummary } from '../../diffReport.ts';
import type { FleetSummary } from '../fleetReport.ts';
import type { NodeVerdict } from '../nodeVerdict.ts';

/** The verdict of `diff` or `doctor` on one node among many. */
export interface NodeAnswer extends NodeVerdict {
  readonly summary: DiffSummary | undefined;
  readonly findings: readonly BriefFinding[];
  /** Rules that differ without a finding that explains them. */
  readonly changes: number;
  /** Only in JUnit. */
  readonly tests?: number;
  readonly failures?: number;
}

/** What findings of several nodes are grouped by. */
export interface BriefFinding {
  readonly id: string;
  readonly severity: FindingSeverity;
  /** Undefined: it is about the node. */
  readonly service?: string;
  readonly seen: string;
  /** It makes the run fail. */
  readonly fails: boolean;
}

/** The result for several nodes. */
export interface FindingsSummary extends FleetSummary {
  readonly command: 'diff' | 'doctor';
  readonly groups: readonly FindingGroup[];
  /** Nodes whose rules differ without a finding. */
  readonly unexplained: readonly string[];
}

/** Findings with one id about one Service on several nodes. */
export interface FindingGroup {
  readonly id: string;
  readonly severity: FindingSeverity;
  readonly service: string | null;
  /** What is seen on the first of the nodes. */
  readonly seen: string;
  readonly fails: boolean;
  readonly nodes: readonly string[];
}
