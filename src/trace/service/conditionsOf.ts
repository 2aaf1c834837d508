import type { Condition, Step } from '../../netfilter/meaning.ts';

/** All conditions of a rule, one after another. */
export function conditionsOf(steps: readonly Step[]): readonly Condition[] {
  return steps.flatMap((step) => (step.kind === 'ask' ? flatConditions(step.condition) : []));
}

export function flatConditions(condition: Condition): readonly Condition[] {
  return condition.kind === 'all' ? condition.conditions.flatMap(flatConditions) : [condition];
}
