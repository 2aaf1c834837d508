import type { Condition } from './meaning.ts';

/** A condition and all that it holds, whatever holds them together. */
export function plainConditions(condition: Condition): readonly Condition[] {
  const open = [condition];
  for (const one of open) {
    if (one.kind === 'all' || one.kind === 'any') open.push(...one.conditions);
    else if (one.kind === 'not') open.push(one.condition);
  }
  return open;
}
