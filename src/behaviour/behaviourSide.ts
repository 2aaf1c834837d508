import type { Family } from '../common/addresses/family.ts';
import type { NodeRules } from '../node/nodeRules.ts';
import type { TraceObjects } from '../trace/known/traceObjects.ts';
import { createNodeTracer, type NodeTracer } from '../trace/nodeTracer.ts';
import type { NamedDestination } from '../trace/question/namedThings.ts';

/** One of two rule sets whose behavior is compared: what a node holds, and its network. */
export interface BehaviourSide {
  readonly name: string;
  readonly node: NodeRules;
  readonly tracer: NodeTracer;
  /** Addresses of Services, if objects show them. */
  readonly named: readonly NamedDestination[];
  /** The families that are known; others are not compared. Undefined: those of the rules. */
  readonly families?: readonly Family[];
}

export function behaviourSide(
  name: string,
  node: NodeRules,
  objects: TraceObjects | undefined,
  families?: readonly Family[],
): BehaviourSide {
  const named = objects?.destinations ?? [];
  return { name, node, tracer: createNodeTracer(node, objects), named, ...(families && { families }) };
}
