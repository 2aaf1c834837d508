import type { Report } from '../../diagnostics/diagnostic.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { everyTool } from '../../node/ruleKinds.ts';

/**
 * Reports that a dump ends too early: nobody looks at each of many nodes, so what part of a dump shows does not count.
 */
export function reportCut(dump: NodeRules, report: Report): boolean {
  for (const { tables, family } of everyTool(dump)) {
    for (const table of tables.values()) {
      if (table.isUnfinished !== true) continue;
      const message = `${dump.name} is cut: nothing ends its table ${table.name} of ${family}`;
      report({ code: 'cut-dump', severity: 'error', message, at: [], hint: 'take the dump again' });
      return true;
    }
  }
  return false;
}
