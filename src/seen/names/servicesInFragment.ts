import { hasWholeTable } from '../../node/hasWholeTable.ts';
import type { ToolRules } from '../../node/nodeRules.ts';
import { servicesIn } from './servicesIn.ts';

/** Services that a fragment names; undefined: a whole table covers all Services. */
export function servicesInFragment(sets: readonly ToolRules[]): ReadonlySet<string> | undefined {
  return hasWholeTable(sets) ? undefined : servicesIn(sets);
}
