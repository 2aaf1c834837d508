import type { RuleTable } from './nodeRules.ts';

/** Whether rules may be in lines that are lost, of a table or of a piece of one. */
export function lacksLines({ isUnfinished, hasLostLines }: RuleTable): boolean {
  return isUnfinished === true || hasLostLines === true;
}
