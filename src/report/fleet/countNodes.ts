import type { FleetCounts, FleetRun } from './fleetReport.ts';
import type { NodeState, NodeVerdict } from './nodeVerdict.ts';

/** How many nodes are in which state. */
export function countNodes(answers: readonly Pick<NodeVerdict, 'state'>[], { skipped }: FleetRun): FleetCounts {
  const of = (state: NodeState) => answers.filter((answer) => answer.state === state).length;
  const unjudged = of('unjudged');
  return { judged: answers.length - unjudged, same: of('same'), differ: of('differs'), unjudged, skipped };
}
