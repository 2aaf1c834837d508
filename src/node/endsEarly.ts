import type { ToolRules } from './nodeRules.ts';

/** Whether the text of a dump ends within one of the tables. */
export function endsEarly({ tables }: ToolRules): boolean {
  return [...tables.values()].some(({ isUnfinished }) => isUnfinished === true);
}
