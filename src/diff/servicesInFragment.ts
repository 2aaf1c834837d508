import type { ToolRules } from '../node/nodeRules.ts';
import { servicesIn } from '../node/servicesIn.ts';

/** Services that a fragment names; undefined: a whole table speaks of all. */
export function servicesInFragment(sets: readonly ToolRules[]): ReadonlySet<string> | undefined {
  const names = new Set<string>();
  for (const { tables } of sets) {
    for (const { isWhole, chains } of tables.values()) {
      if (isWhole) return undefined;
      for (const chain of chains.values()) for (const name of servicesIn(chain)) if (name !== '') names.add(name);
    }
  }
  return names;
}
