import type { ToolRules } from '../nodeRules.ts';
import type { RuleChain } from '../ruleChain.ts';

/** All chains of all tables. In a long dump most of them are made by that: see `eachChain`. */
export function chainsIn(tools: readonly ToolRules[]): readonly RuleChain[] {
  return tools.flatMap(({ tables }) => [...tables.values()].flatMap(({ chains }) => [...chains.values()]));
}
