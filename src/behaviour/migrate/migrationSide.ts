import { sameData } from '../../common/sameData.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import type { Compiled } from '../../pipeline/compile.ts';
import { objectsOfManifests } from '../../trace/known/objectsOfManifests.ts';
import type { TraceObjects } from '../../trace/known/traceObjects.ts';
import { type BehaviourSide, behaviourSide } from '../behaviourSide.ts';
import { networkBeside } from '../networkBeside.ts';

/** What objects compile to: the rules on their node, and what the objects show. */
export interface MigrationNode {
  readonly compiled: Compiled;
  readonly node: NodeRules;
  readonly objects: TraceObjects;
}

/** One side: its rules, ready to be walked. */
export interface MigrationSide extends MigrationNode {
  readonly side: BehaviourSide;
}

/** The compiled rules on their node, with the network that a dump shows, if there is one. `before`: in the other mode. */
export function migrationNode(compiled: Compiled, dump: NodeRules | undefined, before?: MigrationNode): MigrationNode {
  const made = objectsOfManifests(compiled, false, dump);
  const { rules } = made;
  const objects = before === undefined ? made.objects : withPodsOf(before.objects, made.objects);
  const network = dump && networkBeside(dump.network, objects.network);
  return { compiled, node: network === undefined ? rules : { ...rules, network }, objects };
}

export function sideOfNode({ compiled, node, objects }: MigrationNode): MigrationSide {
  return { compiled, node, objects, side: behaviourSide(compiled.model.config.mode, node, objects) };
}

/** What follows from Pods is worked out once for both, if they are the same. */
function withPodsOf(before: TraceObjects, objects: TraceObjects): TraceObjects {
  const { pods } = before.network;
  if (!sameData(pods, objects.network.pods)) return objects;
  return { ...objects, network: { ...objects.network, pods } };
}
