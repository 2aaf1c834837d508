import type { FindingSeverity } from '../../findings/finding.ts';
import type { DiffSummary } from '../diffReport.ts';

/** The verdict on one node among many. Every form of a fleet's report is made from these. */
export interface NodeAnswer {
  /** Its place in the order of the input. */
  readonly at: number;
  /** The node's name, or the dump's if nothing shows the node. */
  readonly node: string;
  /** The dump, or its name, shows its node. */
  readonly isNamed: boolean;
  /** Path of the dump. */
  readonly given: string;
  readonly state: NodeState;
  /** The exit code of a run for this node alone. */
  readonly code: number;
  /** Why it is not judged, and messages of reading it. */
  readonly problems: readonly NodeProblem[];
  readonly summary: DiffSummary | undefined;
  readonly findings: readonly BriefFinding[];
  /** Rules that differ without a finding that explains them. */
  readonly changes: number;
  /** The node's part in the report's form: in JUnit its test suite, in SARIF its run. */
  readonly body: string;
  /** Only in JUnit. */
  readonly tests?: number;
  readonly failures?: number;
}

/** `unjudged`: nothing is known about the node. */
export type NodeState = 'same' | 'differs' | 'unjudged';

export interface NodeProblem {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly hint?: string;
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

/** One of several runs that together judge all nodes: every `of`th, starting with `index`, which counts from 0. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/** The result for several nodes. */
export interface FleetSummary {
  readonly command: 'diff' | 'doctor';
  readonly nodes: FleetCounts;
  readonly groups: readonly FindingGroup[];
  /** Nodes whose rules differ without a finding. */
  readonly unexplained: readonly string[];
  readonly exitCode: number;
  readonly shard?: Shard;
}

export interface FleetCounts {
  readonly judged: number;
  readonly same: number;
  readonly differ: number;
  readonly unjudged: number;
  /** Skipped after the first that failed. */
  readonly skipped: number;
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

/** Version of the JSON lines; `schema/fleet-output.schema.json` describes them. */
export const fleetSchemaId = 'k8snet.fleet/v1';
