import type { RuleChange } from '../compare/ruleChange.ts';

/** The changed rules of one chain, in their order. */
export interface ChainChanges {
  readonly table: string;
  readonly chain: string;
  readonly changes: readonly RuleChange[];
}

/** Rules by chain; the chains are in the order in which they first occur. */
export function groupChanges(changes: Iterable<RuleChange>): readonly ChainChanges[] {
  const groups = new Map<string, { table: string; chain: string; changes: RuleChange[] }>();
  for (const change of changes) {
    const { table, chain } = change;
    const key = `${table}\n${chain}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { table, chain, changes: [change] });
    else group.changes.push(change);
  }
  return [...groups.values()];
}
