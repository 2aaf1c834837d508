import type { ToolRules } from '../../node/nodeRules.ts';
import { servicesIn } from './servicesIn.ts';

/** Services that a fragment names; undefined: a whole table covers all Services. */
export function servicesInFragment(sets: readonly ToolRules[]): ReadonlySet<string> | undefined {
  return sets.some(({ tables }) => [...tables.values()].some(({ isWhole }) => isWhole)) ? undefined : servicesIn(sets);
}
