import type { NodeRules } from '../../node/nodeRules.ts';
import type { DiffReport } from '../../report/diffReport.ts';
import type { TraceObjects } from '../../trace/known/traceObjects.ts';
import type { NodeTracer } from '../../trace/nodeTracer.ts';
import type { NodeQuestion } from './nodeQuestion.ts';
import type { NodeWalk } from './nodeWalks.ts';

/** What is known of one node when its causes are looked for. */
export interface NodeSeen {
  readonly node: string;
  readonly dump: NodeRules;
  readonly question: NodeQuestion;
  readonly walks: readonly NodeWalk[];
  /** Of the comparison, where objects were given, and of the dump by itself. */
  readonly reports: readonly DiffReport[];
  readonly tracer: NodeTracer;
  /** The rules that should be there; undefined: nothing was given to make them of. */
  readonly planned: PlannedRules | undefined;
}

/** Rules that a node should have, made on request, and what is known beside them. */
export interface PlannedRules {
  readonly rules: NodeRules;
  readonly objects: TraceObjects;
}
