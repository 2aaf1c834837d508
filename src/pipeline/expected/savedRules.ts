import type { Ruleset } from '../../netfilter/iptables/ast.ts';
import { printRule } from '../../netfilter/iptables/print/printRule.ts';
import { addLines, chainOf, type TableDraft } from '../../node/chains/chainDraft.ts';
import type { ToolRules } from '../../node/nodeRules.ts';

/** What iptables-save shows of a rule set. */
export function savedRules(ruleset: Ruleset): ToolRules {
  const tables = new Map<string, TableDraft>();
  for (const { name, chains, rules } of ruleset.tables) {
    const table: TableDraft = { name, isWhole: true, chains: new Map() };
    tables.set(name, table);
    for (const declared of chains) {
      const chain = chainOf(table, declared.name, '');
      chain.isDeclared = true;
      if (declared.policy !== undefined) chain.policy = declared.policy;
    }
    for (const rule of rules) addLines(chainOf(table, rule.chain, ''), printRule(rule, 'save', ruleset.family), 0);
  }
  return { kind: 'iptables', family: ruleset.family, tables, files: [] };
}
