import type { RuleTable, ToolRules } from './nodeRules.ts';

/** The same rules with another table in the place of each. */
export function withTables(rules: ToolRules, change: (table: RuleTable) => RuleTable): ToolRules {
  return { ...rules, tables: new Map([...rules.tables].map(([name, table]) => [name, change(table)])) };
}
