/** The verdict on one node among many; each command adds what it found there. */
export interface NodeVerdict extends NodeHead {
  readonly state: NodeState;
  /** The exit code of a run for this node alone. */
  readonly code: number;
  /** The node's part in the report's form: in JSON its report as one line, in JUnit its test suite, in SARIF its run. */
  readonly body: string;
}

/** Which node it is, and what was said when it was read. */
export interface NodeHead {
  /** Its place in the order of the input. */
  readonly at: number;
  /** The node's name, or the dump's if nothing shows the node. */
  readonly node: string;
  /** The dump, or its name, shows its node. */
  readonly isNamed: boolean;
  /** Path of the dump. */
  readonly given: string;
  /** Why it is not judged, and messages of reading it. */
  readonly problems: readonly NodeProblem[];
}

/** `shown`: only a comparison with the others says more. `unjudged`: nothing is known about the node. */
export type NodeState = 'same' | 'differs' | 'shown' | 'unjudged';

export interface NodeProblem {
  readonly code: string;
  readonly severity: 'error' | 'warning' | 'note';
  readonly message: string;
  readonly hint?: string;
}
