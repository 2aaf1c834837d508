import { placesOf } from '../node/lines/chainLines.ts';
import type { RuleTable, ToolRules } from '../node/nodeRules.ts';
import type { RuleChain } from '../node/ruleChain.ts';

/** Rules of one side that the other may hold, too: it lost lines of their table. */
export interface UnseenRules {
  readonly table: string;
  /** The chain of the side that has them. */
  readonly chain: RuleChain;
  readonly lines: readonly number[];
}

/** The tables that one side has alone. */
export function noteLostTables(expected: ToolRules, found: ToolRules, unseen: UnseenRules[]): void {
  for (const table of expected.tables.values()) {
    if (found.tables.has(table.name)) continue;
    for (const chain of table.chains.values()) noteUnseen(unseen, table, chain, placesOf(chain));
  }
}

/** The chains that a table has on the other side alone. */
export function noteLostChains(should: RuleTable | undefined, table: RuleTable, unseen: UnseenRules[]): void {
  if (!table.hasLostLines) return;
  for (const chain of should?.chains.values() ?? []) {
    if (!table.chains.has(chain.name)) noteUnseen(unseen, table, chain, placesOf(chain));
  }
}

export function noteUnseen(unseen: UnseenRules[], table: RuleTable, chain: RuleChain, lines: readonly number[]): void {
  if (lines.length > 0) unseen.push({ table: table.name, chain, lines });
}
