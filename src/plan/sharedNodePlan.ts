import type { NodePlan, SharedNodePlan } from './plan.ts';

/** What the rules of Services depend on: nodes with the same have the same rules of Services. */
export function sharedNodePlan({ nodeIP: _, addresses: __, nodePorts: ___, ...shared }: NodePlan): SharedNodePlan {
  return shared;
}
