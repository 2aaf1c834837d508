import type { Ruleset } from '../../netfilter/iptables/ast.ts';
import { printRule } from '../../netfilter/iptables/printRule.ts';
import { addLine } from '../../node/chainLines.ts';
import { chainOf, type RuleSet, type RuleTable } from '../../node/nodeRules.ts';

/** A compiled or parsed rule set as texts by table and chain. */
export function rulesetRules(ruleset: Ruleset): RuleSet {
  const tables = new Map<string, RuleTable>();
  for (const { name, chains, rules } of ruleset.tables) {
    const table: RuleTable = { name, isWhole: true, chains: new Map() };
    tables.set(name, table);
    for (const declared of chains) {
      const chain = chainOf(table, declared.name, '');
      chain.isDeclared = true;
      if (declared.policy !== undefined) chain.policy = declared.policy;
    }
    for (const rule of rules) addLine(chainOf(table, rule.chain, ''), printRule(rule, 'save', ruleset.family), 0);
  }
  return { kind: 'iptables', family: ruleset.family, tables, files: [] };
}
