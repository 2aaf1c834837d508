import type { ToolRules } from './nodeRules.ts';

/** Whether some table was dumped whole: only then what is not shown says something. */
export function hasWholeTable(sets: readonly ToolRules[]): boolean {
  return sets.some(({ tables }) => [...tables.values()].some(({ isWhole }) => isWhole));
}
