import type { Report } from '../../diagnostics/diagnostic.ts';
import { lacksLines } from '../../node/lostLines.ts';
import type { NodeRules } from '../../node/nodeRules.ts';
import { everyTool } from '../../node/ruleKinds.ts';

/**
 * Reports that rules of a dump are lost: nobody looks at each of many nodes, so what part of a dump shows does not count.
 */
export function reportCut(dump: NodeRules, report: Report): boolean {
  for (const { tables, family } of everyTool(dump)) {
    for (const table of tables.values()) {
      if (!lacksLines(table)) continue;
      const how = table.isUnfinished ? 'nothing ends it' : 'lines of it could not be read';
      const message = `${dump.name}: the table ${table.name} of ${family} is cut: ${how}`;
      report({ code: 'cut-dump', severity: 'error', message, at: [], hint: 'take the dump again' });
      return true;
    }
  }
  return false;
}
