import type { RuleTable, ToolRules } from './nodeRules.ts';

/** Whether rules may be in lines that are lost, of a table or of a piece of one. */
export function lacksLines({ isUnfinished, hasLostLines }: RuleTable): boolean {
  return isUnfinished === true || hasLostLines === true;
}

/** The text ends within a table that would be whole: those behind it are lost with the rest of it. */
export function endsEarly({ tables }: ToolRules): boolean {
  return [...tables.values()].some(({ isUnfinished, hasLostLines }) => isUnfinished && hasLostLines);
}
